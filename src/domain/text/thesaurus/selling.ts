/** Terms of selling: methods, plays, materials. One concept per line: name, then phrases. */
export const selling = `
value-proposition: value proposition, value prop, why us, pitch, benefits, messaging, elevator pitch
persona: persona, buyer profile, target audience, job title targeted, who we sell to
territory: territory, patch, region assignment, book of business, account list, segment
segment: segment, vertical, market segment, niche, industry focus, sector
account-plan: account plan, account strategy, whitespace, account mapping, org chart, stakeholder map, relationship map
multithread: multithread, multiple contacts, single threaded, broaden relationships, more stakeholders, only one contact
power-map: power, influence map, who matters, politics, org chart
meddic: meddic, meddpicc, bant, qualification framework, spin, challenger
battlecard: battlecard, competitive intel, competitive positioning, objection handling
script: script, talk track, template, email copy, opener, subject line
playbook: playbook, best practice, method, guide, cookbook
enablement: enablement, sales training, onboarding reps, ramp time, ramp reps, coaching
coaching: coaching, mentoring, feedback to reps, one on one, call review
gatekeeping: get past, reach the right person, access to power, get a meeting with, executive access
urgency-creation: create urgency, incentive to sign, deadline discount, end of quarter offer, sign by
concession: concession, give and take, trade off, compromise, meet in the middle, split the difference
best-offer: best and final, final offer, last price, bottom line price, walk away price
upsell-signal: hit limit, needs more, growing usage, asks about other product, wants more
buying-signal: buying signal, asks about pricing, asks about contract, ready to buy, wants to move forward, ready to go, moving ahead, proceed
red-flag: red flag, warning sign, concern, bad sign, worrying
green-flag: good sign, promising, encouraging, positive signal, looks good
deal-risk: deal risk, at risk deal, might slip, in jeopardy, could fall through, fall apart, wobbling
loss-reason: loss reason, why we lost, lost because, post mortem, reason for losing
win-reason: win reason, why we won, chose us because, reason they bought, what convinced, tipped the scale
second-chance: revisit, reopen, second look, reengage, try again, back in play, another chance
land-and-expand: land and expand, start small, foothold, one team first, small start, single department, phase one, begin with one team, start with one team, starts with one team, start with a few, first step, small contract first, begin small, starts small
rollout-phase: phase two, phased rollout, wider rollout, company wide, global rollout, stage by stage, all departments
department: department, team, business unit, division, group, function
subsidiary: subsidiary, daughter company, parent company, holding, affiliate, sister company, branch
whole-company: company wide, organization wide, whole company, all employees, every team, enterprise wide
existing-relationship: know each other, existing relationship, worked together before, old friend, long relationship, good rapport, mutual contact, friend of, knows us from, knows us, used to work with us, customer before, knew each other, met before, worked with us before
mutual-connection: mutual connection, common contact, shared connection, knows our ceo, investor intro
community: community, user group, forum, slack group, network
content: content, whitepaper, ebook, blog, article, guide, newsletter, podcast
webinar: webinar, online event, virtual event, livestream
social-media: social media, posted, tweet, linkedin post, instagram, engagement with post
press: press, news article, announcement, press release, in the news, published
award: award, prize, recognition, ranking, winner, nominated
advertisement: ad, advertising, campaign, paid ads, google ads, marketing spend, retargeting
website: website, site, web page, landing page, homepage, visited site
pricing-page: pricing page, looked at pricing, visited pricing, plans page
signup: signup, sign up, register, created account, free account, trial start, new account
activation: activation, first value, aha moment, time to value, quick win, fast results
inactive: inactive, dormant, no activity, not logged in, disappeared, sleeping
power-user: power user, heavy user, super user, most active, admin user
product-fit: product fit, fits needs, solves problem, exactly what we need, right solution, suits
nice-to-have: nice to have, optional, not essential, bonus, would be good, luxury
must-have: must have, required, mandatory, essential, critical, necessary, indispensable, need
commitment: commitment, committed, dedicated, all in, on board, bought in, buy in
no-commitment: no commitment, noncommittal, undecided, on the fence, unsure, not decided, wavering, torn, still thinking
delay-reason: waiting on, waiting for, depends on, blocked by, held up by, pending, contingent
legal-review: legal review, with legal, contract review, lawyers looking, legal is reviewing, in legal, lawyers, legal has, legal wants, legal team has, legal needs, legal approval, at legal, legal check, held up in legal
security-review: security review, infosec review, with security team, security questionnaire, vendor security assessment, security questions, security check, security team wants, security form, security audit, security concerns, infosec questions, vendor questionnaire
procurement-stage: with procurement, procurement review, supplier registration, vendor form, purchasing process
approval-pending: pending approval, waiting for sign off, awaiting approval, not approved yet, needs board approval
`;
