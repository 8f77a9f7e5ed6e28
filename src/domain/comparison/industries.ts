import { buildPhraseTable, matchPhrase, toWords } from './canonical-key.js';

/** Names of industries by concept, in English, German, French, Spanish, Italian, Portuguese, Dutch and Swedish. */
export const INDUSTRY_WORDS = {
  software:
    'software | saas | information technology | it services | it service | internet | computer software | cloud | ' +
    'informationstechnologie | it dienstleistungen | logiciel | logiciels | éditeur de logiciels | informatique | ' +
    'services informatiques | tecnología de la información | informática | tecnologie informatiche | informatica | ' +
    'tecnologia da informação | informationsteknik | programvara | mjukvara | it tjänster | it dienstverlening | technology',
  fintech:
    'fintech | financial technology | payments | zahlungsverkehr | paiements | pagos | pagamenti | pagamentos | betalingen',
  'financial services':
    'financial services | banking | bank | banks | insurance | insurer | insurers | finance | asset management | investment management | venture capital | ' +
    'finanzdienstleistungen | finanzdienstleister | banken | bankwesen | versicherung | versicherungen | services financiers | ' +
    'banque | assurance | assurances | servicios financieros | banca | seguros | servizi finanziari | assicurazioni | ' +
    'serviços financeiros | banco | financiële dienstverlening | verzekeringen | finansiella tjänster | försäkring',
  healthcare:
    'healthcare | health care | hospital | hospitals | clinic | clinics | medical | health | medtech | medical devices | gesundheitswesen | gesundheit | ' +
    'krankenhaus | klinik | medizintechnik | santé | hôpital | salud | sanidad | atención médica | sanità | sanitario | saúde | ' +
    'gezondheidszorg | zorg | sjukvård | hälsovård | vård',
  pharma:
    'pharma | pharmaceutical | pharmaceuticals | biotech | biotechnology | life sciences | life science | pharmazie | ' +
    'pharmaindustrie | biotechnologie | pharmaceutique | farmacéutica | biotecnología | farmaceutica | farmaceutico | ' +
    'biotecnologia | farmacêutica | farmaceutisch | läkemedel',
  'e-commerce':
    'e commerce | ecommerce | online retail | online shop | online shops | onlinehandel | versandhandel | commerce électronique | ' +
    'comercio electrónico | commercio elettronico | comércio eletrônico | webshop | e handel | webwinkel',
  retail:
    'retail | retailer | retailers | consumer goods | fashion | apparel | fmcg | einzelhandel | handel | konsumgüter | mode | commerce de détail | distribution | ' +
    'grande distribution | comercio minorista | moda | vendita al dettaglio | varejo | detailhandel | detaljhandel',
  manufacturing:
    'manufacturing | manufacturer | manufacturers | industrial | machinery | mechanical engineering | factory | industrial automation | maschinenbau | ' +
    'fertigung | produktion | produzierendes gewerbe | anlagenbau | industrie | industrie manufacturière | fabricación | ' +
    'manufactura | industria | manifattura | produzione | manifatturiero | manufatura | indústria | maakindustrie | ' +
    'machinebouw | tillverkning | industri | verkstadsindustri',
  logistics:
    'logistics | transportation | transport | supply chain | freight | shipping | logistik | spedition | logistique | ' +
    'transporte | logística | logistica | trasporti | logistiek | vervoer',
  education:
    'education | edtech | e learning | university | universities | school | schools | higher education | bildung | ' +
    'hochschule | universität | schule | éducation | enseignement | université | educación | enseñanza | universidad | istruzione | ' +
    'formazione | educação | ensino | onderwijs | utbildning',
  marketing:
    'marketing agency | marketing agencies | advertising | marketing services | agency | agencies | werbeagentur | werbung | ' +
    'agentur | agenturen | agence | agences | publicité | agencia | agencias | publicidad | agenzia | pubblicità | agência | publicidade | ' +
    'bureau reclame | reclamebureau | reklambyrå | byrå',
  consulting:
    'consulting | consultancy | consultancies | professional services | management consulting | beratung | unternehmensberatung | ' +
    'conseil | cabinet de conseil | consultoría | consulenza | consultoria | advies | adviesbureau | konsult | rådgivning',
  staffing:
    'staffing | recruiting | recruitment | staffing agency | staffing agencies | recruitment agency | recruitment agencies | recruiting agency | ' +
    'recruiting agencies | personaldienstleistung | personaldienstleister | zeitarbeit | travail temporaire | trabajo temporal | uitzendbureau | bemanning',
  accounting:
    'accounting | accounting firm | accounting firms | accountancy | tax advisory | steuerberatung | expertise comptable | asesoría fiscal',
  'real estate':
    'real estate | property management | proptech | property | immobilien | immobilienwirtschaft | immobilier | ' +
    'bienes raíces | inmobiliaria | inmobiliario | immobiliare | imobiliário | imóveis | vastgoed | fastigheter',
  construction:
    'construction | building materials | bau | baugewerbe | bauwesen | bauindustrie | btp | bâtiment | construcción | ' +
    'costruzioni | edilizia | construção | bouw | bygg | byggbranschen',
  energy:
    'energy | utilities | renewable | renewables | renewable energy | oil and gas | oil gas | solar | energie | energiewirtschaft | ' +
    'energieversorgung | erneuerbare energien | énergie | énergies renouvelables | energía | energia | energi',
  media:
    'media | publishing | entertainment | gaming | games | medien | verlag | verlagswesen | unterhaltung | médias | édition | ' +
    'medios | editorial | editoria | mídia | uitgeverij | förlag',
  hospitality:
    'hospitality | hotel | hotels | restaurant | restaurants | travel | tourism | gastgewerbe | gastronomie | tourismus | ' +
    'hotellerie | hôtellerie | restauration | tourisme | hostelería | turismo | ristorazione | ospitalità | hotelaria | ' +
    'horeca | toerisme | hotell | turism',
  legal:
    'legal | legal services | law firm | law firms | law practice | rechtsanwälte | kanzlei | rechtsberatung | juridique | ' +
    'cabinet d avocats | legal services | servicios jurídicos | studio legale | serviços jurídicos | advocatuur | juridik',
  government:
    'government | public sector | public administration | government administration | behörde | öffentliche verwaltung | öffentlicher dienst | ' +
    'administration publique | secteur public | gobierno | sector público | pubblica amministrazione | governo | setor público | ' +
    'overheid | offentlig sektor',
  nonprofit:
    'nonprofit | non profit | ngo | charity | gemeinnützig | association | sin ánimo de lucro | ong | no profit | sem fins lucrativos | ideell',
  telecommunications:
    'telecommunications | telecom | telco | telekommunikation | télécommunications | télécoms | telecomunicaciones | ' +
    'telecomunicazioni | telecomunicações | telecommunicatie | telekom',
  automotive:
    'automotive | car maker | automobile | automobil | automobilindustrie | autoindustrie | fahrzeugbau | automobilistico | ' +
    'automoción | automotriz | automotivo | auto industrie | fordonsindustri | bil',
  agriculture:
    'agriculture | farming | agtech | landwirtschaft | agrar | agricultura | agricoltura | landbouw | jordbruk | lantbruk',
  aerospace:
    'aerospace | aviation | defense | defence | luftfahrt | raumfahrt | aéronautique | aeroespacial | aerospaziale | luchtvaart | flyg',
  chemicals: 'chemicals | chemical | chemie | chemische industrie | chimie | química | chimica | kemi',
  food: 'food | beverages | food and beverage | food beverage | lebensmittel | nahrungsmittel | getränke | agroalimentaire | alimentación | alimentare | alimentos | voeding | livsmedel',
} as const satisfies Record<string, string>;

const table = buildPhraseTable(INDUSTRY_WORDS);
const MAX_INDUSTRY_TEXT = 300;

/** Returns the industries that a text names, in eight languages: whole words, never parts of them. */
export function findIndustries(text: string): Set<string> {
  const words = toWords(text.slice(0, MAX_INDUSTRY_TEXT));
  const found = new Set<string>();
  for (let i = 0; i < words.length;) {
    const match = matchPhrase(table, words, i);
    if (match) found.add(match.concept);
    i += match?.length ?? 1;
  }
  return found;
}
