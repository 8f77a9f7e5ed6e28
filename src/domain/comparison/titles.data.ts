/**
 * Words of job titles by concept, in English, German, French, Spanish, Italian, Portuguese, Dutch and Swedish. Phrases
 * are compared word by word without case and diacritics; the longest phrase counts.
 */
export const RANK_WORDS = {
  founder:
    'founder | cofounder | co founder | founding partner | owner | business owner | proprietor | gründer | gründerin | ' +
    'mitgründer | mitgründerin | inhaber | inhaberin | eigentümer | fondateur | fondatrice | cofondateur | cofondatrice | ' +
    'co fondateur | co fondatrice | proprietaire | propriétaire | fundador | fundadora | cofundador | cofundadora | ' +
    'co fundador | propietario | propietaria | dueño | dueña | fondatore | fondatrice | cofondatore | co fondatore | ' +
    'titolare | proprietario | proprietário | proprietária | sócio fundador | oprichter | mede oprichter | ' +
    'medeoprichter | eigenaar | eigenaresse | grundare | medgrundare | ägare | grundlægger | gründare',
  c_level: 'chief',
  vp:
    'vice president | vp | vicepresident | vice präsident | vizepräsident | vice président | vice présidente | ' +
    'vicepresidente | vice presidente | vicepresidenta | vice direttore generale',
  head:
    'head | global head | leiter | leiterin | leitung | leitende | leitender | bereichsleiter | bereichsleiterin | ' +
    'bereichsleitung | abteilungsleiter | abteilungsleiterin | ressortleiter | responsable | chef de service | ' +
    'jefe | jefa | responsable de área | responsabile | capo | hoofd | afdelingshoofd | chef | chefin | ansvarig',
  director:
    'director | direktor | direktorin | directeur | directrice | directora | direttore | direttrice | diretor | ' +
    'diretora | direktör | direktør | partner | gesellschafter | associé | socio | socia | sócio | vennoot | delägare',
  manager:
    'manager | managerin | gerente | gérant de magasin | teamleiter | teamleiterin | teamleitung | gruppenleiter | gruppenleiterin | projektleiter | ' +
    'projektleiterin | filialleiter | filialleiterin | team lead | team leader | supervisor | superintendent | gestionnaire | ' +
    'chef d équipe | chef de projet | cheffe de projet | chef de produit | chef de secteur | encargado | encargada | ' +
    'jefe de equipo | jefe de proyecto | coordinador | coordinadora | coordinator | coordenador | coordenadora | capo progetto | capo area | ' +
    'coordinatore | coordinatrice | coordinateur | koordinator | koordinatorin | gestor | gestora | teamleider | projectleider | bedrijfsleider | ' +
    'gruppchef | projektledare | teamledare | tech lead',
  junior:
    'junior | jr | assistant | assistent | assistentin | assistante | asistente | asistenta | assistente | secretary | ' +
    'secretaire | secrétaire | sekretär | sekretärin | secretario | secretaria | segretaria | secretária | ' +
    'secretaresse | sekreterare',
  intern:
    'intern | trainee | apprentice | working student | student assistant | graduate trainee | praktikant | ' +
    'praktikantin | werkstudent | werkstudentin | azubi | auszubildender | auszubildende | volontär | volontärin | ' +
    'stagiaire | alternant | alternante | apprenti | apprentie | becario | becaria | practicante | aprendiz | ' +
    'tirocinante | stagista | apprendista | estagiário | estagiária | stagiair | stagiaire | leerling | lärling',
  advisor:
    'advisor | adviser | board advisor | advisory board | beirat | beirätin | berater des vorstands | ' +
    'conseiller | conseillère | asesor | asesora | consejero | consulente del presidente | conselheiro | conselheira | ' +
    'adviseur | rådgivare | non executive director | ned | mentor',
} as const satisfies Record<string, string>;

/** Words that change a rank without being one. */
export const MODIFIER_WORDS = {
  senior: 'senior | sr | principal | staff | leitende | leitender | expérimenté | sênior | ervaren | erfaren',
  deputy:
    'deputy | stellvertretender | stellvertretende | stellvertreter | stv | adjoint | adjointe | subdirector | ' +
    'subdirectora | vicedirettore | vice direttore | adjunto | adjunta | plaatsvervangend | adjunct | biträdande | ' +
    'ställföreträdande | associate',
  acting:
    'acting | interim | kommissarisch | kommissarischer | ad interim | par intérim | interino | interina | waarnemend',
} as const satisfies Record<string, string>;

/** Words before a title that is not held: `former`, `ex`, `aspiring`. */
export const NOT_HELD_WORDS =
  'former | formerly | ex | previously | previous | past | retired | emeritus | aspiring | future | wannabe | incoming | ' +
  'ehemaliger | ehemalige | ehemals | früherer | frühere | früher | a d | im ruhestand | angehender | angehende | ' +
  'ancien | ancienne | anciennement | futur | future | retraité | antiguo | antigua | anterior | anteriormente | ' +
  'futuro | jubilado | exdirector | già | precedente | ex direttore | in pensione | antigo | antiga | aposentado | ' +
  'voormalig | voormalige | gepensioneerd | oud directeur | tidigare | före detta | f d | pensionerad';

/** Words of an assistant who works for somebody: what follows is that person's title. */
export const ASSISTANT_WORDS =
  'assistant to | assistants to | executive assistant | personal assistant | ea to | pa to | secretary to | ' +
  'assistent der | assistent des | assistentin der | assistentin des | assistenz der | assistenz des | assistenz | ' +
  'sekretariat | referent der | referent des | referentin der | assistant de | assistante de | assistante du | ' +
  'assistant du | secrétaire de | secrétaire du | asistente de | asistente del | asistente a | ' +
  'secretaria de | secretario de | assistente del | assistente di | assistente della | segretaria di | segretaria del | ' +
  'assistente do | assistente da | assistente de | secretária do | secretária da | assistent van | assistente van | ' +
  'secretaresse van | assistent till | assistent åt';

/** Words after which somebody else's title follows, and what the person is to them. */
export const OTHER_PERSON_WORDS =
  'advisor to | adviser to | consultant to | reporting to | reports to | aide to | deputy to | support to | office of | ' +
  'office of the | coach to | trusted by | helping | i help | working with | working for | berater der | berater des | ' +
  'conseiller du | conseillère du | asesor del | asesora del | adviseur van | coach de';

/** Functions of a company, by concept. */
export const FUNCTION_WORDS = {
  sales:
    'sales | selling | account executive | account executives | sdr | bdr | vertrieb | vertriebs | verkauf | verkaufs | aussendienst | ' +
    'außendienst | innendienst | commercial | commerciale | commerciaux | ventes | vente | ventas | comercial | ' +
    'vendite | vendas | verkoop | commercieel | försäljning | försäljnings | salg | salgs | business development | bizdev | ' +
    'geschäftsentwicklung | développement commercial | desarrollo de negocio | sviluppo commerciale | affärsutveckling',
  revenue: 'revenue | rev ops | revops | revenue operations',
  marketing:
    'marketing | brand | branding | growth | demand generation | demand gen | communications | communication | comms | ' +
    'kommunikation | mercadotecnia | mercadeo | comunicación | comunicazione | comunicação | marknad | marknads | ' +
    'marknadsföring | pr | public relations | content',
  finance:
    'finance | financial | finances | accounting | accountant | accounts payable | treasury | controller | controlling | fp a | fpa | ' +
    'finanzen | finanz | buchhaltung | rechnungswesen | comptabilité | comptable | financier | financière | finanzas | ' +
    'financiero | financiera | contabilidad | finanza | finanziario | finanziaria | contabilità | finanças | financeiro | ' +
    'financeira | contabilidade | financiën | financieel | boekhouding | ekonomi | ekonomichef | finans | finanschef | daf | raf',
  engineering:
    'engineering | r d | research and development | software development | entwicklung | entwicklungs | softwareentwicklung | ' +
    'ingénierie | développement | ingeniería | desarrollo | ingegneria | sviluppo | engenharia | desenvolvimento | ' +
    'ontwikkeling | utveckling | konstruktion',
  technology:
    'technology | technical | technik | technische | technischer | tech | technique | tecnología | técnico | ' +
    'técnica | tecnologia | tecnico | tecnica | technologie | technisch | teknik | teknisk',
  it:
    'it | information technology | information | ict | edv | informatik | informatique | informática | informatica | ' +
    'sistemas | sistemi | dsi | systèmes d information | it infrastruktur',
  security:
    'security | information security | cyber security | cybersecurity | infosec | sicherheit | it sicherheit | ' +
    'sécurité | seguridad | sicurezza | segurança | beveiliging | säkerhet',
  operations:
    'operations | operational | ops | betrieb | betriebs | opérations | exploitation | operaciones | operazioni | ' +
    'operações | operationeel | operationele | drift | verksamhet',
  product:
    'product | products | product management | product owner | produkt | produktmanagement | produit | producto | ' +
    'prodotto | produto',
  people:
    'people | human resources | hr | human capital | talent acquisition | recruiting | recruitment | people ops | ' +
    'chro | personal | personalwesen | personalabteilung | personalleitung | ressources humaines | rh | drh | recrutement | ' +
    'recursos humanos | rrhh | risorse umane | personeel | personeelszaken | hrm',
  customer:
    'customer success | customer service | customer support | customer experience | client success | client services | ' +
    'support | cx | kundenservice | kundendienst | kundenbetreuung | service client | expérience client | ' +
    'atención al cliente | servizio clienti | assistenza clienti | atendimento ao cliente | sucesso do cliente | ' +
    'klantenservice | kundtjänst | kundservice',
  data:
    'data | analytics | data science | business intelligence | bi | daten | données | datos | dati | dados | ' +
    'machine learning | ai | artificial intelligence | ki | künstliche intelligenz | ia | inteligencia artificial',
  legal:
    'legal | general counsel | counsel | compliance | recht | rechtsabteilung | juridique | jurídico | jurídica | ' +
    'legale | affari legali | juridisch | juridik | jurist | attorney | lawyer | privacy | data protection | datenschutz',
  procurement:
    'procurement | purchasing | sourcing | buyer | buying | einkauf | einkaufs | einkäufer | einkäuferin | beschaffung | ' +
    'achats | achat | acheteur | acheteuse | compras | comprador | acquisti | inkoop | inkoper | inköp | inköps | inköpare',
  supply_chain:
    'supply chain | logistics | logistik | logistique | logística | logistica | logistiek | chaîne logistique | ' +
    'cadena de suministro | cadeia de suprimentos | warehouse | lager',
  production:
    'production | manufacturing | plant | produktion | produktions | werk | werks | fertigung | fabrication | producción | ' +
    'fabricación | produzione | stabilimento | produção | fábrica | productie | fabriek | fabrik',
  quality:
    'quality | quality assurance | qa | qualität | qualitätssicherung | qualité | calidad | qualità | qualidade | kwaliteit | kvalitet',
  partnerships:
    'partnerships | partner management | partner manager | alliances | channel | channel sales | partnerschaften | ' +
    'partenariats | alianzas | partnership | parcerias',
  strategy: 'strategy | strategic | strategie | stratégie | estrategia | strategia | estratégia | transformation',
  digital:
    'digital | digitalisierung | digitalization | digitalisation | transformación digital | e commerce | ecommerce',
  research:
    'research | forschung | recherche | investigación | ricerca | pesquisa | onderzoek | forskning | science | scientist',
  administration:
    'administration | office | verwaltung | administración | amministrazione | administração | administratie',
} as const satisfies Record<string, string>;

/** Words after which `owner` is a task and no ownership of the company. */
export const OWNED_TASKS =
  'product | process | content | system | service | data | application | platform | solution | portfolio | risk | ' +
  'project | feature | asset | budget | deal | pipeline | account | journey | prozess | system';

/** Ranks at the end of compound words, by the ending: `Vertriebsleiter`, `försäljningschef`. */
export const COMPOUND_ENDINGS: readonly (readonly [ending: string, rank: string])[] = [
  ['leiterin', 'head'],
  ['leiter', 'head'],
  ['leitung', 'head'],
  ['vorstand', 'c_level'],
  ['direktorin', 'director'],
  ['direktor', 'director'],
  ['managerin', 'manager'],
  ['manager', 'manager'],
  ['chefin', 'head'],
  ['chef', 'head'],
  ['ansvarig', 'head'],
  ['direktur', 'director'],
  ['directeur', 'director'],
  ['hoofd', 'head'],
  ['assistentin', 'junior'],
  ['assistent', 'junior'],
  ['praktikant', 'intern'],
];

/** Words that say nothing about the position. */
export const TITLE_NOISE =
  'of | the | for | in | and | to | a | an | on | with | our | officer | der | die | das | des | den | dem | für | fuer | und | von | vom | ' +
  'im | zur | zum | de | du | la | le | les | l | d | et | en | des | pour | del | los | las | el | y | para | por | di | ' +
  'della | dello | dei | degli | e | il | lo | per | do | da | dos | das | o | os | as | van | het | voor | och | för | av | ' +
  'på | med | i | m | w | f | x | mwd | gn | in | team | department | division | area | área | bereich | abteilung | group | unit | ' +
  'member | mitglied | der | level';

/** Words before the name of the employer. */
export const EMPLOYER_PREPOSITIONS: readonly string[] = ['at', 'bei', 'chez', 'presso', 'bij', 'hos'];

/** Titles that name a rank and a function at once, as `rank function`. */
export const WHOLE_TITLES = {
  'c_level general':
    'ceo | chief executive officer | chief executive | verkställande direktör | vd | adm direktør | ' +
    'administrerende direktør | consejero delegado | consejera delegada | amministratore delegato | ' +
    'amministratrice delegata | vorstandsvorsitzender | vorstandsvorsitzende | bestuursvoorzitter | pdg | ' +
    'président directeur général | présidente directrice générale',
  'c_level managing':
    'managing director | managing partner | general manager | gm | md | geschäftsführer | geschäftsführerin | ' +
    'geschäftsführender gesellschafter | geschäftsführung | geschäftsleitung | directeur général | directrice générale | ' +
    'dg | gérant | gérante | director general | directora general | director gerente | gerente general | ' +
    'direttore generale | direttrice generale | diretor geral | diretora geral | diretor executivo | ' +
    'diretora executiva | administrador delegado | algemeen directeur',
  'c_level president': 'president | präsident | präsidentin | président | présidente | presidente | presidenta',
  'c_level board':
    'chairman | chairwoman | chairperson | chair of the board | board member | member of the board | vorstand | ' +
    'vorständin | vorstandsmitglied | mitglied des vorstands | bestuurder',
  'c_level finance': 'cfo | finanzvorstand | directeur administratif et financier | daf',
  'c_level revenue': 'cro',
  'c_level marketing': 'cmo',
  'c_level technology': 'cto',
  'c_level operations': 'coo',
  'c_level it': 'cio | dsi',
  'c_level security': 'ciso',
  'c_level product': 'cpo',
  'c_level people': 'chro | drh',
  'c_level data': 'cdo',
  'c_level legal': 'clo',
  'c_level digital': 'chief digital officer',
  'head people': 'personalleiter | personalleiterin | personalleitung | personalchef | rrhh manager',
  'head finance': 'ekonomichef | finanschef | raf',
  'director chief_of_staff': 'chief of staff',
  'individual sales': 'account executive | sales executive | sdr | bdr | key account executive',
  'individual partner': 'business partner | hr business partner',
  'individual product': 'product owner',
} as const satisfies Record<string, string>;
