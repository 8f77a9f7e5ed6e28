import type { MappedRow } from '../../../plugins/csv-import/src/mapping/row.js';
import { readFile, type ReadFile } from './read-file.ts';

/** What a row states, without what it does not. */
const facts = (file: ReadFile, line: number) => {
  const row = file.people.get(line);
  if (!row) throw new Error(`Line ${line} is no row: ${file.rejected.get(line) ?? 'it was passed over'}`);
  const { person, ...rest } = row satisfies MappedRow;
  const given = Object.entries(rest).filter(([, value]) =>
    Array.isArray(value) ? value.length > 0 : value !== null && Object.keys(value as object).length > 0,
  );
  return { ...person, ...Object.fromEntries(given) };
};
const lines = (file: ReadFile) => ({ taken: [...file.people.keys()], rejected: [...file.rejected.keys()] });

describe('an export of LinkedIn', () => {
  const notes =
    '\ufeffNotes:\r\n"When exporting your connection data, you may notice that some of the ""email addresses"" are missing."\r\n\r\n';
  const text = `${notes}First Name,Last Name,URL,Email Address,Company,Position,Connected On\r
Ada,Byron,https://www.linkedin.com/in/ada-byron,,"Analytical Engines, Ltd",CTO & Founder,12 Mar 2024\r
Jörg,Groß,https://www.linkedin.com/in/j%C3%B6rg-gro%C3%9F,joerg@acme.de,Acme,,7-Feb-22\r
,,,,,,\r
Hidden,Person,,,Acme,Buyer,01 Jan 2020\r
`;

  it('is read below its notes, and passes over empty rows', async () => {
    const file = await readFile(text);
    expect(file.format).toMatchObject({ delimiter: ',', headerLine: 4, dataLine: 5 });
    expect(file.preamble[0]).toBe('Notes:');
    expect(lines(file)).toEqual({ taken: [5, 6, 8], rejected: [] });
    expect(facts(file, 5)).toEqual({
      name: 'Ada Byron',
      first_name: 'Ada',
      last_name: 'Byron',
      title: 'CTO & Founder',
      company: { name: 'Analytical Engines, Ltd' },
      linkedinUrl: 'https://www.linkedin.com/in/ada-byron',
      connectedAt: '2024-03-12T00:00:00.000Z',
    });
    expect(facts(file, 6)).toMatchObject({
      name: 'Jörg Groß',
      emails: ['joerg@acme.de'],
      linkedinUrl: 'https://www.linkedin.com/in/j%C3%B6rg-gro%C3%9F',
      connectedAt: '2022-02-07T00:00:00.000Z',
    });
  });

  it('gives the first cells that are not empty as examples', async () => {
    const { mapping } = await readFile(text);
    expect(mapping.columns[3]).toMatchObject({ field: 'email', examples: ['joerg@acme.de'] });
  });
});

describe('an export of Apollo', () => {
  const text = `First Name,Last Name,Title,Company,Company Name for Emails,Email,Email Status,Seniority,Departments,Work Direct Phone,Mobile Phone,# Employees,Industry,Keywords,Person Linkedin Url,Website,Company Linkedin Url,City,Country,Annual Revenue,Secondary Email,Apollo Contact Id
Ada,Byron,CTO,"Acme, Inc.",Acme,ada@acme.io,Verified,C suite,Engineering,'+49 30 1234567,,"1,200",software,"saas,
crm, sales",http://www.linkedin.com/in/ada-byron,http://www.acme.io,http://www.linkedin.com/company/acme,Berlin,Germany,3000000,ada@home.example,65f0c1
Bob,,Sales,Beta,,not-an-address,Unavailable,,,,,,,,,,,,,,,65f0c2
`;

  it('states the person, the company and all addresses, and rejects a wrong one', async () => {
    const file = await readFile(text);
    expect(lines(file)).toEqual({ taken: [2], rejected: [4] });
    expect(facts(file, 2)).toEqual({
      recordId: '65f0c1',
      name: 'Ada Byron',
      first_name: 'Ada',
      last_name: 'Byron',
      title: 'CTO',
      email_status: 'Verified',
      seniority: 'C suite',
      department: 'Engineering',
      city: 'Berlin',
      country: 'Germany',
      keywords: ['saas', 'crm', 'sales'],
      emails: ['ada@acme.io', 'ada@home.example'],
      phones: ['+49 30 1234567'],
      linkedinUrl: 'https://www.linkedin.com/in/ada-byron',
      company: {
        name: 'Acme, Inc.',
        linkedin_url: 'https://www.linkedin.com/company/acme',
        industry: 'software',
        headcount: 1200,
        revenue: 3_000_000,
      },
      companyDomain: 'acme.io',
    });
    expect(file.rejected.get(4)).toMatch(/`email` is not an e-mail address: "not-an-address"/);
  });
});

describe('an export of HubSpot', () => {
  it('keeps the record ID, several values of a cell, and both columns of one name', async () => {
    const file =
      await readFile(`Record ID,First Name,Last Name,Email,Email,Phone Number,Contact owner,Lifecycle Stage,Last Modified Date,Unsubscribed from all email,Associated Company
501,Ada,Byron,ada@acme.io,ada@private.example,+1 415-555-0100 x12,Grace Hopper,Lead,2025-03-31 14:05,false,Acme
502,Bo,,bo@acme.io;bo@beta.io,,,,,2025-04-01 09:00,maybe,Acme;Beta
`);
    expect(file.fields).toMatchObject({ '3 Email': 'email', '4 Email': 'email', '0 Record ID': 'record_id' });
    expect(facts(file, 2)).toMatchObject({
      recordId: '501',
      emails: ['ada@acme.io', 'ada@private.example'],
      phones: ['+1 415-555-0100 x12'],
      owner: 'Grace Hopper',
      stage: 'Lead',
      unsubscribed: false,
      observedAt: '2025-03-31T14:05:00.000Z',
    });
    expect(file.rejected.get(3)).toBe('`unsubscribed` is neither yes nor no: "maybe". Write true or false.');
  });

  it('is read with German labels', async () => {
    const file = await readFile(`Datensatz-ID,Vorname,Nachname,E-Mail-Adresse,Telefonnummer,Kontaktbesitzer,Jobtitel
9,Jörg,Groß,joerg@acme.de,030 1234567,Ada,Einkäufer
`);
    expect(Object.values(file.fields)).toEqual('record_id first_name last_name email phone owner title'.split(' '));
  });
});

describe('a report of Salesforce', () => {
  const text = `"Salutation","First Name","Last Name","Title","Account Name","Email","Phone"
"Ms.","Ada","Byron","CTO","Acme","ada@acme.io","(415) 555-0100"
"Mr.","Bob","Ray","Buyer","Beta","bob@beta.io",""





"All my contacts"
"Copyright (c) 2000-2025 salesforce.com, inc. All rights reserved."
"Confidential Information - Do Not Distribute"
"Generated By:  Ada Byron  3/4/2025 5:06 AM"
"Acme"
`;

  it('ends at its footer', async () => {
    const file = await readFile(text);
    expect(lines(file)).toEqual({ taken: [2, 3], rejected: [] });
    expect(file.fields['0 Salutation']).toBe('name_prefix');
    expect(facts(file, 2)).toMatchObject({ name: 'Ada Byron', title: 'CTO', phones: ['(415) 555-0100'] });
  });

  it('is read as ISO-8859-1', async () => {
    const file = await readFile(Buffer.from(text.replace('Byron', 'Müller'), 'latin1'));
    expect(file.format.encoding).toBe('windows-1252');
    expect(facts(file, 2)).toMatchObject({ last_name: 'Müller' });
  });
});

describe('an export of Google Contacts', () => {
  it('reads numbered columns and values that are joined', async () => {
    const file =
      await readFile(`First Name,Middle Name,Last Name,Name Prefix,Nickname,File As,Organization Name,Organization Title,Organization Department,Birthday,Notes,Photo,Labels,E-mail 1 - Label,E-mail 1 - Value,E-mail 2 - Label,E-mail 2 - Value,Phone 1 - Label,Phone 1 - Value,Website 1 - Value
Ada,King,Byron,Dr.,,,Acme,CTO,R&D,1815-12-10,"Met in London.
Likes engines.",https://x.example/p,* myContacts ::: Friends,* Work,ada@acme.io ::: ada2@acme.io,Home,ada@home.example,Mobile,+44 20 7946 0000 ::: +44 20 7946 0001,https://acme.io
`);
    expect(facts(file, 2)).toEqual({
      name: 'Ada King Byron',
      first_name: 'Ada',
      last_name: 'Byron',
      title: 'CTO',
      department: 'R&D',
      keywords: ['* myContacts ::: Friends'],
      emails: ['ada@acme.io', 'ada2@acme.io', 'ada@home.example'],
      phones: ['+44 20 7946 0000', '+44 20 7946 0001'],
      company: { name: 'Acme' },
      companyDomain: 'acme.io',
      note: 'Met in London.\nLikes engines.',
    });
  });

  it('reads the older columns', async () => {
    const file =
      await readFile(`Name,Given Name,Additional Name,Family Name,Group Membership,E-mail 1 - Type,E-mail 1 - Value,Phone 1 - Type,Phone 1 - Value,Organization 1 - Name,Organization 1 - Title
Ada Byron,Ada,,Byron,* myContacts,* Work,ada@acme.io,Mobile,+44 20 7946 0000,Acme,CTO
`);
    expect(facts(file, 2)).toMatchObject({
      name: 'Ada Byron',
      title: 'CTO',
      company: { name: 'Acme' },
      emails: ['ada@acme.io'],
      phones: ['+44 20 7946 0000'],
    });
  });
});

describe('an export of Outlook', () => {
  it('takes the job title, not the form of address', async () => {
    const file =
      await readFile(`Title,First Name,Last Name,Company,Department,Job Title,Business City,Business Country/Region,Business Phone,Mobile Phone,E-mail Address,E-mail 2 Address,Web Page,Notes
Mr.,Bob,Ray,Beta,Sales,Buyer,Paris,France,+33 1 23 45 67 89,,bob@beta.fr,bob@home.example,http://beta.fr,
`);
    expect(file.fields['0 Title']).toBeNull();
    expect(facts(file, 2)).toEqual({
      name: 'Bob Ray',
      first_name: 'Bob',
      last_name: 'Ray',
      title: 'Buyer',
      department: 'Sales',
      city: 'Paris',
      country: 'France',
      emails: ['bob@beta.fr', 'bob@home.example'],
      phones: ['+33 1 23 45 67 89'],
      company: { name: 'Beta' },
      companyDomain: 'beta.fr',
    });
  });
});

describe('an export of Pipedrive', () => {
  it('reads columns that name their object', async () => {
    const file =
      await readFile(`Person - ID,Person - Name,Person - Organization,Person - Email - Work,Person - Email - Home,Person - Phone - Mobile,Person - Owner,Person - Update time,Organization - Name
7,Ada van der Berg,Acme,ada@acme.io,,+31 20 123 4567,Grace,2025-03-31 09:10:11,Acme
`);
    expect(facts(file, 2)).toEqual({
      recordId: '7',
      name: 'Ada van der Berg',
      first_name: 'Ada',
      last_name: 'van der Berg',
      owner: 'Grace',
      emails: ['ada@acme.io'],
      phones: ['+31 20 123 4567'],
      company: { name: 'Acme' },
      observedAt: '2025-03-31T09:10:11.000Z',
    });
  });
});

describe('a spreadsheet of Excel', () => {
  const locales = [
    ['German', 'Name;E-Mail;Firma;Umsatz;Geändert am', 'Müller, Jörg;joerg@acme.de;Acme, Inc;1.234,50;03.04.2025'],
    [
      'French',
      'Nom complet;Courriel;Société;Chiffre d’affaires;Modifié le',
      'Jörg Müller;joerg@acme.de;Acme, Inc;1 234,50;03/04/2025',
    ],
    [
      'Spanish',
      'Nombre completo;Correo electrónico;Empresa;Ingresos anuales;Última modificación',
      'Jörg Müller;joerg@acme.de;Acme, Inc;1.234,50;03/04/2025',
    ],
    [
      'Italian',
      'Nome completo;Indirizzo e-mail;Azienda;Fatturato;Data ultima modifica',
      'Jörg Müller;joerg@acme.de;Acme, Inc;1.234,50;03/04/2025',
    ],
    [
      'Portuguese',
      'Nome completo;E-mail;Empresa;Receita anual;Data de modificação',
      'Jörg Müller;joerg@acme.de;Acme, Inc;1.234,50;03/04/2025',
    ],
    [
      'Dutch',
      'Volledige naam;E-mailadres;Bedrijf;Omzet;Laatst gewijzigd',
      'Jörg Müller;joerg@acme.de;Acme, Inc;1.234,50;03-04-2025',
    ],
    [
      'Polish',
      'Imię i nazwisko;Adres e-mail;Nazwa firmy;Przychody;Data modyfikacji',
      'Jörg Müller;joerg@acme.de;Acme, Inc;1 234,50;03.04.2025',
    ],
    [
      'Danish',
      'Fulde navn;E-mailadresse;Virksomhed;Omsætning;Sidst ændret',
      'Jörg Müller;joerg@acme.de;Acme, Inc;1.234,50;03.04.2025',
    ],
  ] as const;

  it.each(locales)('is read with the columns, dates and numbers of a %s one', async (_, header, row) => {
    const file = await readFile(`sep=;\r\n${header}\r\n${row}\r\n`, { date_order: 'day_first' });
    expect(file.preamble).toEqual(['sep=;']);
    expect(file.format).toMatchObject({ delimiter: ';', headerLine: 2 });
    expect(facts(file, 3)).toMatchObject({
      name: 'Jörg Müller',
      emails: ['joerg@acme.de'],
      company: { name: 'Acme, Inc', revenue: 1234.5 },
      observedAt: '2025-04-03T00:00:00.000Z',
    });
  });

  it('is read as UTF-16 with tabs', async () => {
    const text = 'Name\tE-Mail\tFirma\r\n"Müller\r\nJörg"\tjoerg@acme.de\tAcme\r\nAda\tada@acme.io\tΩmega\r\n';
    const file = await readFile(Buffer.from(`\ufeff${text}`, 'utf16le'));
    expect(file.format).toMatchObject({ delimiter: '\t', encoding: 'utf-16le' });
    expect(lines(file)).toEqual({ taken: [2, 4], rejected: [] });
    expect(facts(file, 4)).toMatchObject({ company: { name: 'Ωmega' } });
  });

  it('asks for the order of day and month if no date tells it', async () => {
    const text = 'Email,Last Modified\nada@acme.io,03/04/2025\nbo@acme.io,05/05/2025\n';
    const file = await readFile(text);
    expect(file.mapping).toMatchObject({ date_order: null, has_ambiguous_dates: true });
    expect(file.rejected.get(2)).toMatch(/can be two dates: "03\/04\/2025".*`date_order`/);
    expect(facts(file, 3)).toMatchObject({ observedAt: '2025-05-05T00:00:00.000Z' });
    expect((await readFile(`${text}cy@acme.io,12/31/2024\n`)).mapping.date_order).toBe('month_first');
  });

  it('joins a phone and the country code of another column', async () => {
    const file = await readFile('Email;Vorwahl;Telefon\nada@acme.de;0049;030 1234567\nbo@acme.de;;+41 44 1234567\n');
    expect(file.people.get(2)!.phones).toEqual(['+49 30 1234567']);
    expect(file.people.get(3)!.phones).toEqual(['+41 44 1234567']);
  });
});
