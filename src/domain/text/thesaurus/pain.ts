/** Pains, needs, urgency. One concept per line: name, then phrases. */
export const pain = `
pain: pain, problem, challenge, struggle, difficulty, headache, pain point, issue, trouble, frustration, bottleneck, hurdle, obstacle, suffering, hassle, nightmare, trouble with, problems with, difficulties, suffers from, suffer from, what hurts, does not work well, annoying, struggles with, struggling, biggest problem
manual-work: manual, by hand, tedious, repetitive, copy paste, data entry, manual process, administrative work, busywork, time consuming, labor intensive, grunt work, retyping, type it in, typing, enter data, enter it twice, twice into, double entry, entered by hand, on paper, paper forms, printed, copying data, copies data, manually, hours every week, hours a week, every week by hand, retype
inefficient: inefficient, waste of time, slow process, unproductive, wasted effort, clumsy process, cumbersome, wasteful, hours spent, time sink, takes too much time, takes hours, takes days, lose time, loses time, losing time, waste hours, wasting time, too many meetings, spend hours, spends hours, slow work
efficiency: efficiency, productivity, streamline, save time, faster, optimize, do more with less, speed up, time saving, lean, more output
automation: automation, automate, automated workflow, hands off, no touch, workflow automation, automatically, self running, without manual
scale-problem: does not scale, outgrown, growing pains, too big for, hit the limit, cannot keep up, reached capacity, outgrew, breaking at volume
scale: scale, scalability, grow with us, handle volume, capacity, larger volume, high volume
data-quality: data quality, dirty data, duplicates, outdated records, inaccurate, messy data, stale data, incomplete data, bad data, wrong data, cleanup, unreliable numbers, wrong addresses, old data, not up to date, cannot trust the data, do not trust the numbers, errors in the data, double records, dirty crm, incomplete records, data is a mess, bad records
data-silo: data silo, silo, disconnected systems, scattered, fragmented, spread across tools, no single source of truth, siloed, disjointed, all over the place, patchwork, different systems, several systems, many systems, too many systems, separate systems, do not talk to each other, not connected, not integrated, five tools, everyone has their own list, information is everywhere
single-source: single source of truth, unified, one place, centralized, consolidated view, all in one, consolidate, 360 view, central
visibility: visibility, insight, transparency, blind spot, no overview, see what is going on, line of sight, in the dark, dashboard, overview, flying blind, cannot see, do not see, does not see, no idea, nobody knows, no insight, no transparency, see the whole, no picture, do not know what
reporting: reporting, report, dashboard, analytics, metrics, kpi, numbers, statistics, business intelligence, bi
collaboration: collaboration, teamwork, alignment, work together, share information, cross functional, coordination, communicate
communication-gap: miscommunication, misalignment, lack of communication, out of the loop, not informed, confusion, misunderstanding
compliance-pressure: compliance deadline, regulation change, audit coming, regulatory pressure, new law, fines, penalty, regulator
customer-experience: customer experience, cx, customer journey, buyer experience, service quality
lead-generation: lead generation, more leads, demand generation, pipeline generation, top of funnel, prospects, demand gen
lead-quality: lead quality, bad leads, unqualified leads, junk leads, poor leads, low conversion
conversion: conversion, convert, close rate, win rate, conversion rate, hit rate
sales-cycle: sales cycle, long cycle, time to close, deal velocity, slow deals, cycle time
response-time: response time, speed to lead, slow follow up, reply speed, turnaround
retention: retention, keep customers, net retention, customer loyalty, reduce churn, nrr, grr
turnover: turnover, employee attrition, people leaving, staff turnover, losing people, burnout, resignations
forecast-accuracy: forecast accuracy, missed forecast, unpredictable, surprise, inaccurate forecast, guesswork, gut feeling, forecast is wrong, forecast was wrong, forecast is off, cannot predict, numbers never match, surprises at quarter end, wrong forecast
missed-target: missed target, below quota, behind plan, underperforming, short of goal, missed number, under target, off track, falling behind, missed the number, missed the target, missed quota, below target, not reach the target, weak quarter, bad quarter, behind target, under plan, revenue down, sales down, declining sales
on-target: ahead of plan, exceeded target, above quota, on track, beat the number, overachieved
risk: risk, danger, exposure, liability, vulnerable, threat, risky, uncertainty, afraid of, could go wrong, goes wrong, what if, too risky, safe choice
fear-of-change: change management, resistance to change, disruption, afraid of change, change fatigue, too much change, tool fatigue, afraid to change, people do not like change, do not like change, used to the old, another new tool, not another tool, fear of, resist the change
complexity: complexity, complicated, too many tools, tool sprawl, tech stack bloat, overlap, convoluted
consolidation: consolidate vendors, vendor consolidation, fewer tools, reduce tools, tool consolidation, rationalize
priority: priority, top of mind, strategic, important, key initiative, focus, mission critical, main goal, objective, focus area, main topic, most important, matters most, number one, first thing, main concern, main focus, biggest topic, what they care about, cares about, care about
initiative: initiative, project, program, strategic project, transformation, digital transformation, modernization, overhaul
goal: goal, objective, target, ambition, aim, okr, aspiration, want to achieve, strategy, plans to, wants to reach, want to reach, hopes to, plan to, plans for, trying to, aims to, wants to become, intends to
success-metric: success metric, kpi, measure of success, how we measure, metric, benchmark, outcome measure
trigger: trigger event, compelling event, why now, catalyst, reason for looking, prompted, what changed
opportunity: opportunity, potential, upside, chance, opening, possibility, white space
remote-work: remote work, work from home, distributed team, hybrid work, home office, remote
innovation: innovation, innovate, modernize, cutting edge, forward looking, new technology, early adopter
conservative: conservative, risk averse, traditional, old school, slow to adopt, cautious, bureaucratic
legacy: legacy, outdated, old system, end of life, aging, antiquated, obsolete, decade old, technical debt, deprecated
sustainability: sustainability, esg, carbon, climate, green, emissions, environmental, co2, environment, footprint, climate targets, net zero
diversity: diversity, inclusion, dei, equal opportunity
`;
