import { parseFocus } from '#domain/identity/focus.js';

describe('a LinkedIn address', () => {
  test.each([
    ['https://www.linkedin.com/in/ada', 'linkedin.com/in/ada', 'person'],
    ['linkedin.com/in/Ada/', 'linkedin.com/in/ada', 'person'],
    ['http://de.linkedin.com/in/%C3%A4x/de?trk=people', 'linkedin.com/in/äx', 'person'],
    ['https://www.linkedin.com/in/a%CC%88x', 'linkedin.com/in/äx', 'person'],
    ['https://m.linkedin.com/in/ada/recent-activity/all/', 'linkedin.com/in/ada', 'person'],
    ['https://www.linkedin.com:443//in//ada#about', 'linkedin.com/in/ada', 'person'],
    ['<https://linkedin.com/in/ada>', 'linkedin.com/in/ada', 'person'],
    ['LinkedIn.com/Company/ACME/about/', 'linkedin.com/company/acme', 'company'],
    ['linkedin.com/school/mit', 'linkedin.com/school/mit', 'company'],
    ['linkedin.com/showcase/acme-labs/posts', 'linkedin.com/showcase/acme-labs', 'company'],
    ['linkedin.com/pub/ada-l/1a/2B/3c/de', 'linkedin.com/pub/ada-l/1a/2b/3c', 'person'],
    ['linkedin.com/pub/ada-l/de', 'linkedin.com/pub/ada-l', 'person'],
    ['linkedin.com/sales/lead/ACwAAb,NAME_SEARCH,x9', 'linkedin.com/sales/lead/acwaab', 'person'],
    ['linkedin.com/sales/lead/ACwAAb%2CNAME_SEARCH', 'linkedin.com/sales/lead/acwaab', 'person'],
  ])('%p has the key %s', (text, key, entityType) => {
    expect(parseFocus(text)).toMatchObject({ form: 'linkedin', key, entityType });
  });

  test('keeps the case of what was given in the link, because lead ids need it', () => {
    expect(parseFocus('linkedin.com/sales/lead/ACwAAb,x')).toMatchObject({
      value: 'https://www.linkedin.com/sales/lead/ACwAAb',
    });
  });

  test.each([
    ['https://www.linkedin.com/feed/', 'no profile or company page'],
    ['https://www.linkedin.com/in/me/', 'no profile or company page'],
    ['https://www.linkedin.com/in/%6De/', 'no profile or company page'],
    ['https://www.linkedin.com/pub/dir/ada/lovelace', 'no profile or company page'],
    ['https://www.linkedin.com/jobs/view/1', 'no profile or company page'],
    ['https://www.linkedin.com/in/', 'no readable name'],
    ['https://www.linkedin.com/in/%E0%A4%A', 'no readable name'],
    ['https://www.linkedin.com/in/a%2Fb', 'no readable name'],
    ['https://www.linkedin.com/in/%00', 'no readable name'],
    [`linkedin.com/in/${'a'.repeat(201)}`, 'no readable name'],
    ['Ada (linkedin.com/in/ada)', 'more than a LinkedIn address'],
  ])('%p is refused with a reason', (text, part) => {
    expect(parseFocus(text)).toEqual({ form: 'invalid', reason: expect.stringContaining(part) });
  });
});
