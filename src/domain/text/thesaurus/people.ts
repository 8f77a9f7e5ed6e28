/** Decision makers, supporters, opponents. One concept per line: name, then phrases. */
export const people = `
decision-maker: decision maker, economic buyer, final say, signs off, authority, budget owner, decides, approver, signatory, buck stops, purse strings, calls the shots, final approval, signing authority, ultimate decision, makes the call, power to decide, has the last word, needs to approve, must approve, her call, his call, their call, approves spend, the one who decides, who signs, pen holder, final decision, decision rests, holds the budget, controls the budget, controls budget
champion: champion, advocate, internal sponsor, supporter, ally, fan, evangelist, pushing for us, in our corner, rooting for us, sells internally, on our side, vouch, mobilizer, fights for us, wants us to win, loves us, strong supporter, promotes us, backs us, big supporter, speaks for us, helps us internally, coach, friendly contact, recommended us internally
blocker: blocker, detractor, skeptic, opponent, naysayer, against us, resistance, not convinced, sceptical, pushback, gatekeeper, obstructs, hostile, opposed, vetoed, stands in the way, unconvinced, against the project, does not like us, not a fan, slows it down, objects, resists, against buying, no friend, will not support, prefers another, killed it, blocks
influencer: influencer, stakeholder, has a voice, recommends, opinion leader, weighs in, has influence, key player
executive-sponsor: executive sponsor, exec sponsor, sponsor, leadership support, top down, c level support, executive backing, ceo supports, ceo wants, from the top, leadership wants, backed by the ceo, management supports, board supports, boss wants
committee: buying committee, buying group, committee, panel, steering committee, board approval, consensus, stakeholders, evaluation team, decision group, selection committee, several people decide, all must agree, everyone has to agree, many people involved, group decides, board decides, decided together
gatekeeper: gatekeeper, assistant, executive assistant, receptionist, secretary, front desk, ea, screens calls, books his meetings, runs her calendar, manages his calendar, manages her calendar, personal assistant, pa
end-user: end user, user, daily user, practitioner, people who use it, hands on, rep using, operator
technical-buyer: technical buyer, technical evaluator, architect, solutions architect, technical lead, it evaluator, technical validation, engineer evaluating
procurement: procurement, purchasing, sourcing, vendor management, buyer desk, supply team, category manager, purchasing department, buyer, purchasing manager, purchasing team, buying department, vendor portal, supplier portal
legal-team: legal, counsel, lawyer, attorney, general counsel, legal department, legal team, paralegal
ceo: ceo, chief executive, managing director, president, head of company, top boss, md
founder: founder, cofounder, owner, entrepreneur, started the company, founding team
cfo: cfo, chief financial officer, finance chief, head of finance, vp finance, finance director
cto: cto, chief technology officer, head of engineering, vp engineering, technology chief, engineering leader
cio: cio, chief information officer, head of it, it director, it manager, information technology
ciso: ciso, chief information security officer, head of security, security officer, infosec lead, security team
cmo: cmo, chief marketing officer, head of marketing, vp marketing, marketing director, marketing leader
cro: cro, chief revenue officer, head of sales, vp sales, sales director, sales leader, sales chief
coo: coo, chief operating officer, head of operations, vp operations, operations director
chro: chro, head of people, hr director, human resources, people team, hr, chief people officer, personnel
revops: revops, revenue operations, sales operations, sales ops, salesforce admin, crm admin, operations analyst
sdr: sdr, bdr, sales development, business development rep, outbound rep, prospector
account-executive: account executive, ae, sales rep, seller, salesperson, closer, account manager, quota carrier
customer-success: customer success, csm, success manager, account management, client services, post sales
support-team: support team, help desk, service desk, customer support, customer service, support agent, call center, contact center
product-team: product manager, product owner, product team, head of product, cpo, product leader
data-team: data team, analyst, data scientist, analytics team, bi team, data engineer
developer: developer, engineer, programmer, engineering team, software engineer, coder, dev team, devs
board: board, board of directors, directors, board meeting, board member, chairman
partner-person: consultant, advisor, agency, outside consultant, external adviser, integrator, contractor, freelancer
new-hire: new hire, joined, just started, new role, newly appointed, recently hired, came on board, first ninety days, brought in, onboarded as, new leader, took over, new boss, started last month, new in role, new in the role, recently joined, just joined, new manager, new vp, new cfo, new ceo, new cto, successor, replacement hire, first week, first month, incoming
promoted: promoted, promotion, moved up, stepped up, elevated, bigger role, new title
left-job: left the company, resigned, quit, departed, moved on, no longer there, no longer with, stepped down, fired, let go, last day, stepping away, laid off, changed jobs, exit, gone, leaves the company, leaving the company, quitting, new job, another job, changed employer, found a new job, last working day, is leaving, has left, handed in notice, gave notice, career move, joining another company
retire: retire, retirement, leaving workforce, stepping back
on-leave: parental leave, maternity leave, paternity leave, sabbatical, sick leave, leave of absence, medical leave, away for months
layoffs: layoff, redundancy, downsizing, job cuts, headcount reduction, restructuring, workforce reduction, rif, let people go, staff cuts, laid off, jobs cut, let go of, cut staff, smaller workforce, fewer people, reduction in force, cut a third of
hiring: hiring, recruiting, open positions, headcount growth, job openings, growing team, adding staff, talent search, building out team, vacancy, staffing up, adding people, growing headcount, doubling the team, new hires, job ads, recruits, wants to hire, hire more
understaffed: understaffed, short staffed, stretched thin, no bandwidth, lean team, not enough people, overworked, overloaded, small team, swamped, resource constrained, capacity, no time, too few people, not enough time, too busy, hands full, no capacity, lack of resources, busy season, one person team, drowning, under water, stretched
reorg: reorg, reorganization, restructure, new structure, leadership change, org change, shake up, team change, restructured, new organization, teams merged, changes at the top, management change, new management, leadership team changed, reshuffle
reports-to: reports to, manager, boss, supervisor, direct report, line manager, works under, managed by
introduction: introduction, intro, referral, warm intro, connect me with, put in touch, referred, loop in, introduce, introduced us, introduces us, introduce us, introduced me, can introduce, put us in contact, connected us, made the connection, knows somebody
`;
