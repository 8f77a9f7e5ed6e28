/**
 * What a column can state. `name` to `note` are of one person; those that begin with `company_`, of the company of the
 * row.
 */
export const FIELDS = [
  'record_id',
  'email',
  'email_status',
  'linkedin_url',
  'name',
  'name_prefix',
  'first_name',
  'middle_name',
  'last_name',
  'title',
  'seniority',
  'department',
  'headline',
  'phone',
  'phone_country_code',
  'location',
  'city',
  'country',
  'stage',
  'owner',
  'lead_score',
  'do_not_contact',
  'unsubscribed',
  'keywords',
  'company',
  'company_domain',
  'company_linkedin_url',
  'company_industry',
  'company_headcount',
  'company_revenue',
  'note',
  'note_date',
  'connected_on',
  'observed_at',
] as const;

/** What a column states. */
export type Field = (typeof FIELDS)[number];

/** A property that is none of the fields, named by the user: of the person, or of the company where rows are companies. */
export type OwnProperty = `property:${string}`;

const OWN_PREFIX = 'property:';

/** What a column of a mapping states: a field, or a property of the user's own. */
export type ColumnTarget = Field | OwnProperty;

/** Names the target of a column that states a property of the user's own. */
export function toOwnProperty(name: string): OwnProperty {
  return `${OWN_PREFIX}${name}`;
}

/** Returns the name of a property of the user's own; null for a field. */
export function readOwnProperty(target: ColumnTarget): string | null {
  return target.startsWith(OWN_PREFIX) ? target.slice(OWN_PREFIX.length) : null;
}

/** Names that rows use for something else than a property. */
const TAKEN_NAMES: ReadonlySet<string> = new Set([...FIELDS, 'emails', 'phones', 'external_id']);

/** Returns whether a property of the user's own cannot have this name, because a field or an identifier has it. */
export function isTakenName(name: string): boolean {
  return TAKEN_NAMES.has(name);
}

/** Fields that several columns can state; any other field is taken from one column. */
export const REPEATABLE_FIELDS: ReadonlySet<Field> = new Set(['email', 'phone', 'keywords', 'note']);

/**
 * Names of columns in exports and in spreadsheets of ten languages (English, German, French, Spanish, Italian,
 * Portuguese, Dutch, Swedish, Danish, Polish), as header keys. The first names of a field are the more certain ones.
 */
const ALIASES: Readonly<Record<Field, string>> = {
  record_id:
    'recordid contactid leadid personid apollocontactid hubspotid salesforceid id externalid kontaktid datensatzid ' +
    'idcontact idcontacto idcontatto',
  email:
    'email emailaddress workemail businessemail primaryemail emailwork emailvalue emailadresse emailaddresse mail ' +
    'mailaddress personalemail privateemail emailhome emailother secondaryemail tertiaryemail geschaftlicheemail ' +
    'adressemail adresseemail adresseelectronique courriel correo correoelectronico direcciondecorreoelectronico ' +
    'postaelettronica indirizzoemail indirizzodipostaelettronica enderecodeemail correioeletronico emailadres epost ' +
    'epostadress epostadresse mailadresse adresemail adrespocztyelektronicznej',
  email_status: 'emailstatus emailconfidence emailverification reachabilitystatus',
  linkedin_url:
    'linkedinurl personlinkedinurl linkedinprofile linkedinprofileurl linkedin linkedinbio profileurl profilelink url ' +
    'hslinkedinurl linkedinprofil profillinkedin perfildelinkedin perfillinkedin profilolinkedin',
  name:
    'fullname name displayname contactname contactfullname personname fileas vollstandigername kontaktname nomcomplet ' +
    'nombrecompleto nomecompleto nomecognome volledigenaam naam namn fullstandigtnamn navn fuldenavn imieinazwisko ' +
    'kontakt',
  name_prefix:
    'nameprefix salutation prefix anrede civilite tratamiento trattamento tratamento aanhef tilltal titulation',
  first_name:
    'firstname givenname fname vorname prenom nombre primernombre nome primeironome voornaam fornamn fornavn imie',
  middle_name: 'middlename additionalname zweitervorname deuxiemeprenom segundonombre secondonome',
  last_name:
    'lastname surname familyname lname nachname familienname nom nomdefamille apellido apellidos cognome sobrenome ' +
    'apelido ultimonome achternaam efternamn efternavn nazwisko',
  title:
    'jobtitle position organizationtitle title role jobposition funktion berufsbezeichnung stellenbezeichnung poste ' +
    'fonction intituledeposte cargo puesto puestodetrabajo qualifica ruolo posizione posizionelavorativa funcao ' +
    'functie functietitel befattning jobbtitel titel stilling stillingsbetegnelse jobtitel stanowisko',
  seniority: 'seniority senioritylevel managementlevel karrierestufe',
  department:
    'department departments organizationdepartment abteilung departement service departamento dipartimento reparto ' +
    'afdeling avdelning afdelings dzial',
  headline: 'headline tagline linkedinheadline',
  phone:
    'phone phonenumber phonework phonevalue workphone workdirectphone directphone businessphone mobile mobilephone ' +
    'mobilenumber cellphone phonemobile phonehome phoneother homephone otherphone telephone telephonenumber ' +
    'primaryphone telefon telefonnummer mobiltelefon mobil handy handynummer rufnummer geschaftlichestelefon ' +
    'telefongeschaftlich numerodetelephone numerotelephone telephonemobile portable telefono numerodetelefono movil ' +
    'telefonomovil cellulare numeroditelefono telefone numerodetelefone celular telemovel telefoon telefoonnummer ' +
    'mobiel mobilnummer tlf telefonkomorkowy numertelefonu',
  phone_country_code:
    'countrycode phonecountrycode dialcode dialingcode callingcode landesvorwahl landervorwahl vorwahl indicatif ' +
    'indicatifpays prefijo prefijotelefonico prefisso codigodopais landnummer landskod landekode kierunkowy',
  location: 'location region standort lieu localisation ubicacion localita localizacao locatie ort plats lokalizacja',
  city: 'city town personcity businesscity addresscity ville ciudad citta cidade plaats stad by miasto stadt wohnort',
  country: 'country countryregion businesscountryregion personcountry land pays pais paese kraj nation addresscountry',
  stage: 'lifecyclestage leadstatus stage dealstage contactstage pipelinestage leadstage phase etape etapa fase',
  owner:
    'contactowner owner accountowner leadowner besitzer kontaktbesitzer zustandiger proprietaire propietario ' +
    'proprietario eigenaar agare ejer wlasciciel',
  lead_score: 'leadscore hubspotscore score punktzahl',
  do_not_contact: 'donotcontact donotcall nichtkontaktieren',
  unsubscribed: 'unsubscribed emailoptout optedout unsubscribedfromallemail abgemeldet',
  keywords: 'keywords tags labels groupmembership schlagworter schlagworte etiquettes etiquetas etichette trefwoorden',
  company:
    'company companyname organizationname accountname organization organisation organisationname employer account ' +
    'associatedcompany firma unternehmen unternehmensname arbeitgeber entreprise societe nomdelentreprise empresa ' +
    'nombredelaempresa azienda nomeazienda societa nomedaempresa bedrijf bedrijfsnaam foretag foretagsnamn ' +
    'virksomhed firmanavn nazwafirmy organizacja companynameforemails',
  company_domain:
    'companydomain companydomainname domain website companywebsite websiteurl companyurl webpage webseite ' +
    'internetseite siteweb siteinternet sitioweb sitoweb site webbplats hjemmeside stronainternetowa websitevalue',
  company_linkedin_url: 'companylinkedinurl companylinkedin organizationlinkedinurl linkedincompanypage',
  company_industry: 'industry sector companyindustry branche industrie secteur sector settore setor bransch branza',
  company_headcount:
    'employees numberofemployees employeecount headcount companysize mitarbeiter mitarbeiterzahl anzahlmitarbeiter ' +
    'nombredesalaries effectif effectifs empleados numerodeempleados dipendenti numerodidipendenti funcionarios ' +
    'aantalmedewerkers antalanstallda antalansatte liczbapracownikow',
  company_revenue:
    'annualrevenue revenue jahresumsatz umsatz chiffredaffaires ingresosanuales fatturato receitaanual omzet ' +
    'omsattning omsaetning przychody',
  note:
    'notes note description comment comments notizen notiz bemerkung bemerkungen remarques commentaire notas ' +
    'nota commenti observacoes opmerkingen notities anteckningar noter uwagi notatki',
  note_date: 'notedate notizdatum datedelanote fechadelanota',
  connected_on: 'connectedon verbundenam connectele conectadoel collegatoil verbondenop',
  observed_at:
    'lastmodifieddate lastmodified lastupdated lastupdate updatedat updated updatetime modifiedon dateupdated ' +
    'datumderletztenanderung zuletztgeandert letzteanderung geandertam datedemodification dernieremodification ' +
    'modifiele fechademodificacion ultimamodificacion dataultimamodifica datademodificacao laatstgewijzigd ' +
    'senastandrad sidstaendret datamodyfikacji ostatniamodyfikacja observedat',
};

/** A field that a header names, and how certain the name is: 0 for the first alias of the field. */
export interface AliasMatch {
  readonly field: Field;
  readonly rank: number;
}

const BY_KEY: ReadonlyMap<string, AliasMatch> = new Map(
  FIELDS.flatMap(field =>
    ALIASES[field].split(' ').map((alias, rank) => [alias, { field, rank }] as const),
  ).toReversed(),
);

/** Prefixes with which exports of several objects name their columns, such as `Person - Email - Work`. */
const PREFIXES = ['person', 'contact', 'lead', 'primary', 'organization'];

/** Finds the field that a header key names; numbers in it (`email1value`) and the name of the object are left out. */
export function findAlias(key: string): AliasMatch | undefined {
  const bare = key.replace(/\d/g, '');
  const exact = BY_KEY.get(key) ?? BY_KEY.get(bare);
  if (exact) return exact;
  for (const prefix of PREFIXES) {
    const inner = bare.startsWith(prefix) ? BY_KEY.get(bare.slice(prefix.length)) : undefined;
    if (!inner) continue;
    if (prefix !== 'organization') return { field: inner.field, rank: inner.rank + 1 };
    const ofCompany = COMPANY_FIELDS[inner.field];
    if (ofCompany) return { field: ofCompany, rank: inner.rank + 1 };
  }
  return undefined;
}

/** Fields of the company that its columns name like those of a person. */
const COMPANY_FIELDS: Partial<Record<Field, Field>> = {
  name: 'company',
  linkedin_url: 'company_linkedin_url',
  company_domain: 'company_domain',
  company_industry: 'company_industry',
  company_headcount: 'company_headcount',
  company_revenue: 'company_revenue',
};
