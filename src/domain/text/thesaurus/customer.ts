/** Life after the signature: start, use, trouble, renewal, growth. One concept a line: its name, then what people say for it. */
export const customer = `
churn: churn, cancel, leave, terminate, not renew, walk away, quit us, drop us, discontinue, end contract, opt out, stop using, moving off, switch away, jump ship, part ways, offboard, lost customer, rip out, pull the plug, non renewal, attrition
churn-risk: at risk, churn risk, red account, unhappy, dissatisfied, threatening to leave, in danger, health score, might leave, thinking of leaving, considering alternatives, shaky, escalated account
renewal: renewal, renew, extend, contract extension, prolong, re sign, continue contract, roll over, auto renew, resubscribe
contract-end: contract end, expires, expiry, end of term, runs out, up for renewal, term ends, end date, expiration, lapse, renewal date
expansion: expansion, upsell, expand, more seats, additional licenses, grow account, add users, roll out wider, upgrade, add on, extra modules, larger package, increase usage
cross-sell: cross sell, another product, second product, other modules, additional product
downgrade: downgrade, reduce seats, fewer licenses, contraction, downsell, cut seats, smaller plan, scale back, trim, shrink
onboarding: onboarding, kickoff, getting started, ramp up, setup, first weeks, initial setup, launch
implementation: implementation, deployment, rollout, go live, install, configuration, set up, launch project, deploy, put in place, stand up
migration: migration, move data, switch over, transfer, import data, cutover, porting, data transfer, transition, moving from
training: training, enablement, workshop, learn, education, coaching, certification, teach, course, tutorial
adoption: adoption, usage, uptake, active users, engagement, logins, utilization, using it daily, rollout success, active use
low-adoption: low adoption, nobody uses, shelfware, unused, not logging in, poor uptake, barely used, low usage, inactive, underused, idle licenses, sits on shelf
satisfaction: happy, satisfied, pleased, delighted, love, great experience, nps, promoter, content, glad, praise, thrilled, positive feedback
dissatisfaction: unhappy, dissatisfied, frustrated, disappointed, annoyed, angry, upset, complaint, let down, fed up, irritated, bad experience, negative feedback, detractor, furious, complain
support-issue: support ticket, case, bug report, help request, issue opened, service request, trouble ticket, ticket
slow-support: slow support, slow response, waiting for answer, unanswered tickets, poor service, bad support, response time, unhelpful, long wait
bug: bug, defect, error, glitch, broken, crash, malfunction, not working, fault, failing, does not work
outage: outage, downtime, unavailable, went down, service interruption, incident, offline, disruption
reliability: reliable, stable, uptime, dependable, robust, availability, stability
unreliable: unreliable, unstable, flaky, keeps crashing, buggy, outages, inconsistent, patchy
performance: slow, latency, performance, lag, loading time, sluggish, speed, takes forever, delays
escalation: escalation, escalate, raised to management, complaint to executive, formal complaint, escalated
sla: sla, service level, uptime guarantee, response commitment, service level agreement
success-story: success, results, outcome, achieved, improvement, gains, value delivered, wins, exceeded
feature-request: feature request, wish list, enhancement, asked for, missing feature, would like to have, roadmap item, product feedback, suggestion
missing-feature: missing feature, gap, lacks, does not support, limitation, cannot do, functionality gap, not available, shortcoming, falls short
roadmap: roadmap, upcoming, planned feature, release plan, future version, coming soon, product direction
ease-of-use: easy to use, intuitive, user friendly, simple, usability, straightforward, clean interface, ux
hard-to-use: hard to use, complicated, complex, clunky, confusing, steep learning curve, unintuitive, cumbersome, difficult, painful to use
loyalty: loyal, long term customer, long standing, years with us, repeat customer, partner for years
win-back: win back, former customer, came back, returning, reactivate, ex customer, boomerang, previously used
advocacy: advocate, reference customer, review, g2 review, testimonial, speak at event, recommend us
business-review: business review, qbr, ebr, executive review, account review, health check
handover: handover, handoff, transition, new owner, account transfer, pass over
feedback: feedback, opinion, comments, input, impressions, survey, reaction
trust: trust, credibility, confidence, believe in us, reputation, relationship
distrust: distrust, lost trust, broken promises, overpromised, burned before, misled, credibility issue, bad faith, burnt, underdelivered
`;
