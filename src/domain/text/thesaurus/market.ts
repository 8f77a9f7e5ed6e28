/** Competitors, companies, markets, and company events. One concept per line: name, then phrases. */
export const market = `
competitor: competitor, competition, rival, alternative, other vendor, incumbent, competing product, another provider, other supplier, competing bid, also looking at, alternatives, others they look at, other vendors, other tools, other products, other suppliers, second vendor, comparing us with, against us in the deal, other offers, competing offer, other bids, also considering, also evaluating, also talks to
incumbent: incumbent, current vendor, existing provider, existing solution, current tool, what they use today, legacy vendor, in place today, today they use, present supplier, currently using, use today, uses today, currently use, currently uses, tool they have, system they have, existing system, existing tool, works with today, has been using, have been using, today they work with, current system, current provider
replace: replace, switch, swap out, rip and replace, change vendor, move away from, substitute, displace, sunset, phase out, switching, get rid of, getting rid of, switching from, move off, moving off, leave their vendor, looking for a new, looking for another, take the place, retire the old
compare: compare, comparison, versus, side by side, benchmark, evaluate options, weigh, alternatives
in-house: in house, build, homegrown, internal tool, build versus buy, own solution, self built, custom built, diy, do it themselves, build it themselves, built it themselves, build their own, built their own, own development, own tool, internal solution, develops its own, wrote their own
status-quo: status quo, do nothing, stay as is, keep current, no change, good enough, stick with, inertia, happy with current, no need to change, do not want to change, does not want to change, keep what they have, works for now, fine with what, what they have works, leave it as is, why change
spreadsheet: spreadsheet, excel, google sheets, manual tracking, csv files, workbook, sheets, excel sheet, excel sheets, excel files, in excel, shared sheet, google sheet
differentiator: differentiator, unique, advantage, stand out, what makes us different, edge, strength, better than, unique selling point, usp
weakness: weakness, disadvantage, drawback, downside, shortcoming, con, behind competitor
acquisition: acquisition, acquired, merger, bought by, m&a, takeover, merged, purchased company, been bought, integration of companies, being bought, was bought, bought another, bought a company, taken over, takes over the company, new parent, new owners, sold the company, sold to, joins forces
bankruptcy: bankruptcy, insolvency, chapter 11, shutting down, closing down, going under, out of business, wind down, liquidation
market-expansion: new market, expand into, international expansion, entering europe, new region, new country, opening office, geographic expansion, going global, launch in, open an office, opens an office, opening an office, expanding to, expands to, new countries, enter the market, goes international, abroad expansion, new location abroad
new-office: new office, relocation, headquarters, opening location, moving offices, branch, site opening
rebrand: rebrand, new name, new brand, rename, identity, relaunch
product-launch: product launch, release, new product, go to market, launching, rollout of product
partnership: partnership, alliance, partner, collaboration, joint venture, teaming up, reseller deal, co sell
reseller: reseller, channel, distributor, var, channel partner, dealer, marketplace, indirect sales
market-share: market share, market leader, dominant, leading provider, category leader
economy: economy, recession, downturn, inflation, macro, uncertain times, headwinds, slowdown, tough market
industry-trend: trend, industry shift, market change, disruption, where the market goes
analyst: gartner, forrester, analyst report, magic quadrant, idc, g2 grid, analyst firm
startup: startup, early stage, seed stage, young company, scale up, small company
enterprise: enterprise, large company, corporation, big company, fortune 500, multinational, global company, conglomerate
smb: smb, small business, mid market, medium sized, sme, mittelstand, small firm
headcount: headcount, employees, staff, team size, number of people, workforce, company size
public-sector: government, public sector, federal, municipality, state agency, city council, ministry, public administration
healthcare: healthcare, hospital, clinic, medical, pharma, patients, life sciences, health system, biotech
financial-services: bank, financial services, insurance, fintech, asset manager, credit union, lender, insurer, wealth management
retail: retail, ecommerce, store, shop, consumer goods, merchandise, online shop, webshop
manufacturing: manufacturing, factory, plant, production line, industrial, manufacturer, shop floor
education: education, university, school, students, campus, college, edtech, faculty
logistics: logistics, shipping, supply chain, freight, warehouse, transportation, fleet, carrier, delivery
real-estate: real estate, property, housing, landlord, broker, construction, building
technology: technology, software, saas, tech company, software company, it company
energy: energy, utility, oil, gas, power, renewables, solar, electricity
media: media, publishing, news, broadcaster, entertainment, advertising, agency
hospitality: hospitality, hotel, restaurant, travel, tourism, airline, booking
telecom: telecom, carrier, network operator, mobile operator, telco, broadband
nonprofit: nonprofit, charity, ngo, foundation, not for profit, association
law-firm: law firm, legal practice, legal services, attorneys
agency: agency, consultancy, professional services, consulting firm, services firm, advisory
region-europe: europe, emea, eu, european, dach, nordics, benelux, germany, france, spain, italy
region-uk: uk, united kingdom, britain, england, london, ireland
region-americas: north america, usa, united states, americas, canada, latam, latin america, brazil, mexico
region-asia: asia, apac, asia pacific, japan, china, india, singapore, australia
`;
