/** Groups of deal stages. */
export type StageGroup = 'prospecting' | 'qualification' | 'proposal' | 'negotiation' | 'customer' | 'closed';

/** Known stages by group. */
export const STAGES: Readonly<Record<StageGroup, readonly string[]>> = {
  prospecting: ['prospecting', 'identified', 'aware', 'connected'],
  qualification: ['qualification', 'interested', 'meeting_booked', 'discovery'],
  proposal: ['proposal', 'evaluating', 'demo'],
  negotiation: ['negotiation'],
  customer: ['customer', 'client', 'closed_won'],
  closed: ['closed', 'lost', 'closed_lost', 'disqualified', 'churned'],
};

/**
 * Words of stages by group, in English, German, French, Spanish, Italian, Portuguese, Dutch and Swedish. The first group
 * with a word that a stage has is its group: `Closed Won` is won although it has the word `closed`.
 */
export const STAGE_WORDS: readonly (readonly [group: StageGroup, words: string])[] = [
  [
    'closed',
    'lost | closed lost | not interested | no interest | unqualified | disqualified | not qualified | bad fit | no fit | ' +
      'rejected | declined | abandoned | dead | churn | churned | cancelled | canceled | archived | junk | spam | ' +
      'unresponsive | no go | verloren | abgelehnt | kein interesse | nicht qualifiziert | disqualifiziert | gekündigt | ' +
      'perdu | perdue | refusé | abandonné | pas intéressé | non qualifié | perdido | perdida | rechazado | ' +
      'no interesado | descartado | perso | persa | rifiutato | non interessato | descartado | sem interesse | ' +
      'afgewezen | niet geïnteresseerd | förlorad | avböjd | ej intresserad | former customer | ex customer | ex kunde',
  ],
  [
    'customer',
    'won | closed won | customer | customers | client | onboarding | onboarded | renewal | renewed | active customer | ' +
      'implementation | signed | gewonnen | kunde | bestandskunde | gagné | gagnée | signé | client actif | ganado | ' +
      'ganada | cliente | firmado | vinto | vinta | firmato | ganho | assinado | klant | vunnen | kund | abgeschlossen gewonnen',
  ],
  [
    'closed',
    'closed | abgeschlossen | geschlossen | clôturé | fermé | cerrado | cerrada | chiuso | chiusa | fechado | gesloten | stängd',
  ],
  [
    'negotiation',
    'negotiation | negotiating | negotiations | contract | contracts | legal review | procurement | legal | redlines | ' +
      'verbal | verbal commit | verbally agreed | commit | committed | decision | final decision | closing | approval | ' +
      'security review | verhandlung | verhandlungen | in verhandlung | vertrag | vertragsprüfung | entscheidung | ' +
      'négociation | contrat | décision | negociación | contrato | decisión | negoziazione | trattativa | contratto | ' +
      'decisione | negociação | decisão | onderhandeling | contractfase | förhandling | avtal | beslut',
  ],
  [
    'proposal',
    'proposal | quote | quotation | offer | pricing | rfp | evaluation | evaluating | demo | demos | demo done | pilot | poc | ' +
      'proof of concept | trial | business case | solution | presentation | angebot | angebot gesendet | evaluierung | ' +
      'präsentation | testphase | proposition | devis | offre | démo | évaluation | propuesta | oferta | cotización | ' +
      'presupuesto | evaluación | proposta | offerta | preventivo | valutazione | avaliação | orçamento | offerte | ' +
      'voorstel | evaluatie | offert | förslag | utvärdering',
  ],
  [
    'qualification',
    'qualification | qualified | qualifying | sql | mql | sal | interested | meeting | meeting booked | meeting scheduled | ' +
      'appointment | appointment scheduled | discovery | needs analysis | intro call | first call | engaged | working | ' +
      'in conversation | conversation | opportunity | replied | qualifizierung | qualifiziert | termin | erstgespräch | ' +
      'bedarfsanalyse | interessiert | qualifié | qualifiée | rendez vous | découverte | intéressé | cualificado | ' +
      'calificado | reunión | interesado | qualificato | qualificata | incontro | interessato | qualificado | reunião | ' +
      'interessado | gekwalificeerd | afspraak | geïnteresseerd | kvalificerad | möte | intresserad',
  ],
  [
    'prospecting',
    'prospecting | prospect | prospects | lead | new | new lead | new deal | identified | aware | connected | contacted | ' +
      'attempted | attempting | cold | outreach | target | open not contacted | not started | nurture | nurturing | backlog | ' +
      'neu | kontaktiert | neuer lead | nouveau | nouvelle | contacté | nuevo | nueva | contactado | nuovo | nuova | ' +
      'contattato | novo | nova | contatado | nieuw | gecontacteerd | ny | kontaktad',
  ],
];

/** Words of the type that a CRM gives to a stage: whether its deal is open, won or lost. */
export const STAGE_TYPE_WORDS: Readonly<Record<'open' | 'won' | 'lost', string>> = {
  open: 'open | opened | in progress | active | pending | offen | ouvert | abierto | aperto | aberto',
  won: 'won | closed won | success | successful | gewonnen | gagné | ganado | vinto | ganho',
  lost: 'lost | closed lost | failed | abandoned | cancelled | canceled | deleted | verloren | perdu | perdido | perso',
};
