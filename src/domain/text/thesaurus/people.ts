/** Who decides, who helps, who hinders. One concept a line: its name, then what people say for it. */
export const people = `
decision-maker: decision maker, economic buyer, final say, signs off, authority, budget owner, decides, approver, signatory, buck stops, purse strings, calls the shots, final approval, signing authority, ultimate decision, makes the call, power to decide
champion: champion, advocate, internal sponsor, supporter, ally, fan, evangelist, pushing for us, in our corner, rooting for us, sells internally, on our side, vouch, mobilizer
blocker: blocker, detractor, skeptic, opponent, naysayer, against us, resistance, not convinced, sceptical, pushback, gatekeeper, obstructs, hostile, opposed, vetoed, stands in the way, unconvinced
influencer: influencer, stakeholder, has a voice, recommends, opinion leader, weighs in, has influence, key player
executive-sponsor: executive sponsor, exec sponsor, sponsor, leadership support, top down, c level support, executive backing
committee: buying committee, buying group, committee, panel, steering committee, board approval, consensus, stakeholders, evaluation team, decision group, selection committee
gatekeeper: gatekeeper, assistant, executive assistant, receptionist, secretary, front desk, ea
end-user: end user, user, daily user, practitioner, people who use it, hands on, rep using, operator
technical-buyer: technical buyer, technical evaluator, architect, solutions architect, technical lead, it evaluator, technical validation, engineer evaluating
procurement: procurement, purchasing, sourcing, vendor management, buyer desk, supply team, category manager, purchasing department
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
new-hire: new hire, joined, just started, new role, newly appointed, recently hired, came on board, first ninety days, brought in, onboarded as, new leader, took over, new boss
promoted: promoted, promotion, moved up, stepped up, elevated, bigger role, new title
left-job: left the company, resigned, quit, departed, moved on, no longer there, no longer with, stepped down, fired, let go, last day, stepping away, laid off, changed jobs, exit, gone
retire: retire, retirement, leaving workforce, stepping back
on-leave: parental leave, maternity leave, paternity leave, sabbatical, sick leave, leave of absence, medical leave, away for months
layoffs: layoff, redundancy, downsizing, job cuts, headcount reduction, restructuring, workforce reduction, rif, let people go, staff cuts, laid off
hiring: hiring, recruiting, open positions, headcount growth, job openings, growing team, adding staff, talent search, building out team, vacancy, staffing up
understaffed: understaffed, short staffed, stretched thin, no bandwidth, lean team, not enough people, overworked, overloaded, small team, swamped, resource constrained, capacity
reorg: reorg, reorganization, restructure, new structure, leadership change, org change, shake up, team change
reports-to: reports to, manager, boss, supervisor, direct report, line manager, works under, managed by
introduction: introduction, intro, referral, warm intro, connect me with, put in touch, referred, loop in, introduce
`;
