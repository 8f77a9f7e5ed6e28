/**
 * Meetings, conversations, sentiment, personal life, and time words of notes. One concept per line: name, then phrases.
 */
export const talk = `
phone: phone, call, dial, telephone, rang, mobile number, voicemail, cell
email-contact: email, mail, message, wrote, sent note, e mail, inbox
linkedin: linkedin, connection request, social message, inmail, profile
voicemail: voicemail, left message, answering machine, no pickup, did not pick up
reply: reply, respond, answer, response, wrote back, got back
travel: travel, trip, flight, business trip, abroad, on the road, traveling
vacation: vacation, holiday, out of office, pto, time off, away, annual leave, ooo, day off, on vacation, on holiday, holidays until, back on, away until, not in the office, out until, not in office, absent, back in the office
family: family, kids, children, wife, husband, spouse, daughter, son, baby, newborn, married, parents, partner at home, wedding, had a baby, second child, gets married, got married, newborn son, newborn daughter, his son, her son, his daughter, her daughter, his wife, her husband
hobby: hobby, sport, golf, football, soccer, tennis, running, marathon, cycling, skiing, hiking, fishing, sailing, gym, yoga, music, plays guitar, climbing, basketball, loves to, in his free time, in her free time, big fan of, plays, free time, weekend, passionate about, enjoys, marathon runner, dog, dogs, cat
food: lunch, dinner, coffee, restaurant, breakfast, drinks, beer, wine, meal, vegetarian, vegan
gift: gift, swag, present, gift card, thank you card
birthday: birthday, anniversary, celebration, celebrate, congratulations
health: sick, ill, illness, surgery, hospital stay, injury, covid, unwell, recovering
alma-mater: alumni, studied at, university, alma mater, graduated, degree, mba, went to school
language: language, speaks german, english, french, spanish, translation, localization, multilingual, speaks only, in german, in french, in spanish, in english, native speaker, translated, german speaking, french speaking
location: based in, lives in, located, city, home town, moved to, office in
previous-company: previous company, former employer, used to work at, came from, background, formerly, prior role, worked at, ex
prior-experience: used before, familiar with, prior experience, previous user, knows product, has used us
personality: direct, friendly, analytical, detail oriented, talkative, reserved, blunt, personality, communication style
preference: prefers, preference, likes, favorite, would rather, wants it, likes to be contacted, prefers email, prefers phone, prefers calls, prefers to, best reached, best way to reach, how to contact, rather by, wants calls, only by email, likes short, better in the morning, call in the morning
dislike: dislikes, hates, does not like, allergic to, pet peeve, cannot stand
polite-brush-off: brush off, send information, send me something, too busy, call back later, vague, noncommittal, evasive, get rid of me
honest: candid, honest, open, transparent, frank, straight
tension: tension, conflict, disagreement, argument, politics, internal politics, friction, power struggle, infighting
mood-good: upbeat, friendly, good mood, engaged, energetic, positive tone, optimistic
mood-bad: stressed, tense, tired, distracted, cold, negative tone, overwhelmed, pessimistic, in a bad mood
apology: apologize, apology, sorry, regret, make up for
thanks: thanks, thank you, grateful, appreciate
promise: promise, commit, assured, guaranteed, pledge, will deliver
misunderstanding: misunderstanding, confusion, wrong expectation, misread, unclear, ambiguous
expectation: expectation, expects, anticipates, hopes, assumes
question-asked: question, asked about, wanted to know, inquiry, query, wondered
competitor-mention: mentioned competitor, name dropped, also talking to, evaluating others, looking around, shopping around
document-sent: sent deck, sent over, shared document, attachment, forwarded, one pager, slides, deck, presentation, brochure
recording: recording, transcript, notes, minutes, summary, recap
agenda: agenda, topics, talking points, outline, discussion points
attendee: attendee, participant, joined the call, present, in the room, who was there, who joined, were there, on their side, from their side, people in the meeting, took part, participants, joined by
unsubscribe: unsubscribe, opt out, stop emailing, remove me, do not email, no more emails, take me off, take us off, no more mails, do not write, do not contact, stop writing, stop sending, remove us, delete my data, off the list
wrong-person: wrong person, not my area, not responsible, someone else handles, right contact, point of contact, talk to someone else, not the right person, talk to my colleague, colleague is responsible, someone else is responsible, responsible is, not in charge, in charge is, ask my colleague, please contact
quarter: quarter, q1, q2, q3, q4, quarterly
year-end: year end, december, end of year, eoy, before christmas
summer: summer, july, august, summer break, holidays
start-date: start date, kickoff date, begin, launch date, effective date
week-next: next week, coming week, in a week, following week
month-next: next month, coming month, in a month, in thirty days
recently: recently, lately, last week, just now
frequency: daily, every day, weekly, monthly, often, regularly, how often
`;
