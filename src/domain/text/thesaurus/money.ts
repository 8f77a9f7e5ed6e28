/** Prices, budgets, payment. One concept per line: name, then phrases. */
export const money = `
price: price, cost, pricing, fee, rate card, charge, quote, price tag, list price, sticker price, how much, price point, price list, per seat price, monthly fee, unit price, rates, how expensive, price range, ballpark, quoted
expensive: expensive, pricey, costly, overpriced, steep, too high, out of range, over budget, premium priced, cost prohibitive, sticker shock, rich for us, hard to justify, cost too much, too much money, cannot afford, not afford, beyond budget, outside budget, outside our budget, above budget, exceeds budget, more than we pay, more than expected, price sensitive, price shock, cheaper elsewhere, double the price, twice the price, too dear, pushback on price, price pushback, price concern, price objection, not worth, high price, higher than expected
cheap: cheap, inexpensive, affordable, low cost, bargain, economical, lower price, budget friendly, undercut, cheaper, good value, value for money, lower cost, half the price, less expensive, reasonably priced, bargain price
budget: budget, funding, funds, allocation, spend, wallet, money set aside, earmarked, financial envelope, cost center, headroom, allocated, money available, money for it, money for this, budget approved, budgeted, have funds, spending authority, paid from, pot of money, line item
budget-cut: budget cut, budget freeze, spending freeze, cost cutting, cost reduction, tighten belt, slash spending, austerity, savings target, reduced budget, spend control, hiring freeze, no money, cutback, cost savings program, spending stopped, money is tight, tight budget, no funds, budget gone, budget pulled, funds cut, cut costs, lost budget, lost funding, cost pressure, no budget, budget reduced
discount: discount, price reduction, markdown, rebate, concession, price break, promo, promotion, knock off, sweetener, coupon, special offer, money off, haggle, bring down price, better price, better deal, lower the price, lower price, reduce price, cut the price, percent off, come down on price, sharpen pencil, price match, volume pricing, cheaper deal, price flexibility, wiggle room, match the price
invoice: invoice, bill, billing, receipt, statement, accounts payable, billed
payment: payment, pay, remit, wire transfer, credit card, ach, bank transfer, settle, purchase card
late-payment: overdue, late payment, past due, unpaid, arrears, outstanding invoice, missed payment, dunning, collections, not paid, did not pay, still owes, owes us, unpaid bill, has not been paid, payment reminder, payment delayed, waiting for payment
payment-terms: payment terms, net 30, net 60, net 90, upfront payment, prepaid, installment, pay monthly, annual prepay, billing cycle, paid in advance, milestone billing
refund: refund, money back, credit note, reimbursement, chargeback, reimburse, service credit
roi: roi, return on investment, payback, business case, value realized, cost benefit, break even, pays for itself, justify spend, quantified benefit, economic justification, payback period, worth the money, worth it, prove value, return on spend, cost justification, value case, savings per year, pays back
savings: save, savings, cost saving, reduce cost, cut cost, spend less, lower spend, cheaper to run
revenue: revenue, sales, turnover, income, arr, mrr, bookings, top line, annual recurring revenue, proceeds
profit: profit, margin, earnings, ebitda, bottom line, profitability, profitable
loss-making: loss, losing money, unprofitable, in the red, burn, burning cash, negative margin, runway
growth-money: revenue growth, growing fast, hypergrowth, scaling up, record quarter, expanding revenue, strong quarter, growing quickly, grew by, doubled, tripled, good year, great year, best quarter, best year, sales up, revenue up, fast growth, grows fast
fundraise: fundraise, funding round, series a, series b, series c, seed round, raised money, venture capital, investor, capital raise, backed by, investment round, term sheet, vc, raised, raised a round, new funding, got funding, fresh money, new investors, round of funding, investors put in, closed a round
private-equity: private equity, pe firm, portfolio company, buyout, sponsor owned, pe backed
ipo: ipo, going public, listing, public offering, floated, stock market, s1
subscription: subscription, recurring, saas fee, monthly plan, annual plan, membership, plan tier
license: license, seat, user license, per user, named user, entitlement, seat count
usage-pricing: usage based, consumption, pay as you go, metered, per transaction, credits, overage
hidden-cost: hidden cost, extra fee, add on cost, surcharge, unexpected charge, implementation fee, setup fee, total cost of ownership, tco, service fee
price-increase: price increase, price hike, uplift, rate increase, raised prices, going up, more expensive than before, cost went up, escalator, price went up, prices rise, higher price at renewal, pay more, costs rose, raise the price, increased price
fiscal-year: fiscal year, financial year, year end, fy, budget cycle, budget season, planning cycle, quarter end, calendar year
purchase-order: purchase order, po, requisition, po number, procurement ticket, order form
tax: tax, vat, gst, sales tax, withholding, tax exempt
currency: currency, euro, dollar, pound, exchange rate, fx, usd, eur, gbp
commission: commission, payout, spiff, incentive, bonus, variable pay, comp plan, on target earnings
quota: quota, target, number, goal attainment, sales target, hit number, attainment
forecast: forecast, projection, commit, pipeline call, outlook, prediction, best case, expected revenue
deal-size: deal size, contract value, acv, tcv, amount, deal value, ticket size, order value
free: free, gratis, no charge, complimentary, at no cost, zero cost, freemium, waive
finance-team: finance, controller, accounting, fp&a, bookkeeping, treasurer, finance team, accountant
cash-flow: cash flow, liquidity, cash position, cash strapped, working capital, short on cash
`;
