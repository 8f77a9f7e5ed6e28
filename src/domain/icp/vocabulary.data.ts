/** Nouns of ranks as people write them, by the words of the property `seniority`. */
export const RANK_NOUNS: Readonly<Record<string, string>> = {
  founder: 'founder | co founder | cofounder | owner | business owner',
  c_level: 'c level | c suite | c level executive | executive | chief | chief officer | cxo',
  vp: 'vp | vps | vice president',
  head: 'head',
  director: 'director',
  manager: 'manager',
  senior: 'senior | principal',
  junior: 'junior | intern | student | trainee | assistant | working student | apprentice',
};

/** Words beside a function that say nothing about the rank: `sales teams`, `people in finance`. */
export const TEAM_NOUNS =
  'team | leader | people | department | buyer | decision maker | professional | folk | lead | person | anyone | leadership | ' +
  'staff | function | executive team | expert';

const EUROPE = (
  'Germany,France,Spain,Italy,Netherlands,Belgium,Austria,Switzerland,Sweden,Norway,Denmark,Finland,Poland,Portugal,' +
  'Ireland,United Kingdom,Czech Republic,Romania,Hungary,Greece,Estonia,Latvia,Lithuania'
).split(',');

const MIDDLE_EAST = ['United Arab Emirates', 'Saudi Arabia', 'Israel', 'Qatar', 'Kuwait', 'Bahrain', 'Oman', 'Turkey'];

/** Regions, with their names and countries. */
export const REGIONS: Readonly<Record<string, { readonly words: string; readonly countries: readonly string[] }>> = {
  europe: { words: 'europe | european | eu | european union', countries: EUROPE },
  emea: {
    words: 'emea',
    countries: [...EUROPE, ...MIDDLE_EAST, 'South Africa', 'Egypt', 'Nigeria', 'Kenya', 'Morocco'],
  },
  dach: { words: 'dach', countries: ['Germany', 'Austria', 'Switzerland'] },
  nordics: {
    words: 'nordics | nordic | scandinavia',
    countries: ['Sweden', 'Norway', 'Denmark', 'Finland', 'Iceland'],
  },
  benelux: { words: 'benelux', countries: ['Belgium', 'Netherlands', 'Luxembourg'] },
  baltics: { words: 'baltics | baltic', countries: ['Estonia', 'Latvia', 'Lithuania'] },
  'north america': { words: 'north america', countries: ['United States', 'Canada'] },
  'latin america': {
    words: 'latin america | latam | south america',
    countries: ['Mexico', 'Brazil', 'Argentina', 'Chile', 'Colombia', 'Peru', 'Uruguay', 'Ecuador'],
  },
  'middle east': { words: 'middle east | gcc', countries: MIDDLE_EAST },
  apac: {
    words: 'apac | asia pacific | asia',
    countries: [
      'Japan',
      'Singapore',
      'India',
      'Australia',
      'New Zealand',
      'South Korea',
      'China',
      'Indonesia',
      'Malaysia',
      'Thailand',
      'Vietnam',
      'Philippines',
      'Taiwan',
      'Hong Kong',
    ],
  },
  germany: { words: 'german', countries: ['Germany'] },
  france: { words: 'french', countries: ['France'] },
  spain: { words: 'spanish', countries: ['Spain'] },
  italy: { words: 'italian', countries: ['Italy'] },
  switzerland: { words: 'swiss', countries: ['Switzerland'] },
  austria: { words: 'austrian', countries: ['Austria'] },
  netherlands: { words: 'dutch', countries: ['Netherlands'] },
  sweden: { words: 'swedish', countries: ['Sweden'] },
  'united kingdom': { words: 'british', countries: ['United Kingdom'] },
  'united states': { words: 'american', countries: ['United States'] },
  canada: { words: 'canadian', countries: ['Canada'] },
  australia: { words: 'australian', countries: ['Australia'] },
  anz: { words: 'anz', countries: ['Australia', 'New Zealand'] },
};

/** Names of countries that are common words in English text. */
export const AMBIGUOUS_COUNTRIES: ReadonlySet<string> = new Set(['island', 'indie', 'jersey', 'chad', 'guinea']);

/** Words of a description that carry no rule. */
export const GENERIC_WORDS =
  'a about all also an and any anybody anyone are as at based be been being best both but buyer buyers by businesses business ' +
  'can client clients companies company contact contacts contractor countries country customer customers deal do does doing don ' +
  'each else e employ employees employing especially etc even every everyone exclude excluded excluding exclusion exclusions except ' +
  'exclusively account accounts audience few firm firms focus focused focusing for from g go good has have having headcount ' +
  'headquartered hq i icp ideal ideally if in include including industries industry into is isn it its just kind kinds least ' +
  'like list located location look looking love mainly market markets mostly must my need needs never no nobody none nor not ' +
  'of off offices on one only operate operates operating or org organisation organisations organization organizations orgs other our ' +
  'out outside people persona personas please prefer preferably preferred profile profiles prospect prospects region regions required ' +
  'reach role roles s sector sectors segment segments sell selling sells sells serve serves serving should size sized sizes so ' +
  'some space staff strictly such t talk talking target targeting targets team teams than that the their them there these they ' +
  'this those through to type types typical typically us use user users uses using usually vertical verticals very want wants we ' +
  'what where which who whose will win with within without won work working works would you your avoid avoiding steer clear stay ' +
  'away bad poor wrong fit fits disqualify disqualifies disqualified disqualifying disqualifier disqualifiers dealbreaker dealbreakers ' +
  'breaker breakers unless interested offer offers provide provides make makes build develop red flag flags anti ignore skip scope unsuitable instead rather buys buy buying decision maker makers person persons re ve ll d currently already either';
