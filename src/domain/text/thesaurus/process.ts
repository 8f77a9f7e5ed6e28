/** The course of a deal, from first touch to signature. One concept a line: its name, then what people say for it. */
export const process = `
discovery: discovery, discovery call, intro call, first call, qualification call, needs analysis, initial conversation, exploratory
demo: demo, demonstration, product walkthrough, show and tell, product tour, live session, showcased, presented product
poc: poc, proof of concept, pilot, trial, test drive, evaluation, sandbox, try out, bake off, proof of value, pov, trial run, test phase, trialing
proposal: proposal, offer, quote, quotation, bid, business proposal, statement of work, sow, estimate, commercial offer
rfp: rfp, request for proposal, tender, rfi, rfq, bid process, formal evaluation, questionnaire response
shortlist: shortlist, finalist, down to two, top two, preferred vendor, vendor of choice, selected, front runner, in the lead, final round
negotiation: negotiation, negotiate, haggling, bargaining, back and forth, terms discussion, redline, counter offer, push back on terms
contract: contract, agreement, msa, master service agreement, paperwork, order form, terms and conditions, legal document, deal paper
redlines: redline, markup, contract changes, legal edits, amendments, clause, legal comments, revised terms
signature: signature, sign, signed, docusign, countersign, executed, inked, closed the deal, ink
closed-won: closed won, won, win, deal signed, new customer, became customer, we won, got the deal, landed, bought
closed-lost: closed lost, lost, deal lost, went with someone else, chose competitor, picked another vendor, rejected us, not selected, dropped us, passed on, went elsewhere, went another way
stalled: stalled, stuck, no movement, on hold, paused, delayed, gone quiet, limbo, postponed, slipped, pushed out, put on ice, back burner, deprioritized, shelved, frozen, parked, dragging
ghosted: ghosted, no response, unresponsive, no reply, went dark, radio silence, not answering, silent, stopped responding, never got back, gone cold, did not hear back, crickets
decision: decision, decide, make up mind, verdict, choose, choice, final call, conclusion, pick
decision-criteria: decision criteria, evaluation criteria, requirements, must have, scorecard, checklist, success criteria, selection criteria, deal breaker, needs to have, non negotiable
decision-process: decision process, buying process, approval process, sign off process, steps to purchase, approval chain, how they buy, purchasing process, paper process
timeline: timeline, timeframe, schedule, deadline, target date, by when, go live date, due date, timing, roadmap date, milestone
urgent: urgent, asap, immediately, time sensitive, pressing, rush, right away, critical deadline, high priority, compelling event, in a hurry, burning, yesterday
no-urgency: not urgent, no rush, later, someday, next year, not a priority, low priority, revisit later, circle back later, bad timing, not right now, wait until, down the road, too early
next-steps: next step, action item, follow up, to do, agreed actions, homework, task, owner, commitments, promised, deliverable
follow-up: follow up, check in, circle back, touch base, reach back out, nudge, reconnect, get back to, ping, chase
meeting: meeting, call, sync, conversation, session, appointment, catch up, chat, zoom, video call, teams call, sit down
reschedule: reschedule, move meeting, postpone, push back, new time, rebook, change the date
cancelled-meeting: cancelled meeting, called off, no show, did not show up, missed call, stood up, failed to appear
cadence: weekly call, recurring meeting, standing meeting, regular sync, monthly check in, qbr, quarterly business review, cadence
qualified: qualified, good fit, icp, ideal customer, matches profile, strong fit, right profile, sweet spot
disqualified: disqualified, not a fit, bad fit, unqualified, too small, wrong profile, out of scope, poor fit, not our customer
objection: objection, concern, worry, hesitation, reservation, doubt, misgiving, issue raised, pushback, uneasy, nervous, hesitant, afraid
interest: interested, keen, curious, excited, enthusiastic, eager, intrigued, wants to learn more, positive, warm, loved it, impressed, thrilled
not-interested: not interested, no interest, uninterested, pass, declined, turned down, lukewarm, unenthusiastic, indifferent, do not contact, said no
rejection: reject, refuse, decline, turn down, say no, denied, veto
approval: approval, approve, green light, sign off, go ahead, blessing, authorize, cleared, rubber stamp, thumbs up
reference: reference, customer reference, reference call, testimonial, speak with a customer, peer reference, talk to existing client
case-study: case study, success story, customer story, use case example, proof point, customer example
onsite: onsite, in person, face to face, visit, office visit, travel to, site visit, came to office
event: conference, event, trade show, webinar, booth, summit, expo, meetup, workshop, networking
referral-source: referral, word of mouth, recommended by, heard about us, found us, inbound, came from
inbound: inbound, form fill, website request, demo request, contact us, signed up, content download, hand raise
outbound: outbound, cold call, cold email, prospecting, outreach, sequence, campaign, cold outreach
pipeline: pipeline, funnel, opportunities, deal flow, open deals, prospects
mutual-plan: mutual action plan, close plan, success plan, joint plan, project plan, agreed plan, evaluation plan
slipped: slipped, pushed to next quarter, missed close date, moved out, slid, delayed signature
verbal: verbal, verbal commitment, verbal yes, handshake, said yes, committed orally, gave their word
`;
