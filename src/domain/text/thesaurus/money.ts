/** Prices, budgets, payment. One concept a line: its name, then what people say for it. */
export const money = `
price: price, cost, pricing, fee, rate card, charge, quote, price tag, list price, sticker price, how much
expensive: expensive, pricey, costly, overpriced, steep, too high, out of range, over budget, premium priced, cost prohibitive, sticker shock, rich for us, hard to justify
cheap: cheap, inexpensive, affordable, low cost, bargain, economical, lower price, budget friendly, undercut, cheaper
budget: budget, funding, funds, allocation, spend, wallet, money set aside, earmarked, financial envelope, cost center, headroom, allocated
budget-cut: budget cut, budget freeze, spending freeze, cost cutting, cost reduction, tighten belt, slash spending, austerity, savings target, reduced budget, spend control, hiring freeze, no money, cutback
discount: discount, price reduction, markdown, rebate, concession, price break, promo, promotion, knock off, sweetener, coupon, special offer, money off, haggle, bring down price
invoice: invoice, bill, billing, receipt, statement, accounts payable, billed
payment: payment, pay, remit, wire transfer, credit card, ach, bank transfer, settle, purchase card
late-payment: overdue, late payment, past due, unpaid, arrears, outstanding invoice, missed payment, dunning, collections
payment-terms: payment terms, net 30, net 60, net 90, upfront payment, prepaid, installment, pay monthly, annual prepay, billing cycle, paid in advance, milestone billing
refund: refund, money back, credit note, reimbursement, chargeback, reimburse, service credit
roi: roi, return on investment, payback, business case, value realized, cost benefit, break even, pays for itself, justify spend, quantified benefit, economic justification, payback period
savings: save, savings, cost saving, reduce cost, cut cost, spend less, lower spend, cheaper to run
revenue: revenue, sales, turnover, income, arr, mrr, bookings, top line, annual recurring revenue, proceeds
profit: profit, margin, earnings, ebitda, bottom line, profitability, profitable
loss-making: loss, losing money, unprofitable, in the red, burn, burning cash, negative margin, runway
growth-money: revenue growth, growing fast, hypergrowth, scaling up, record quarter, expanding revenue, strong quarter
fundraise: fundraise, funding round, series a, series b, series c, seed round, raised money, venture capital, investor, capital raise, backed by, investment round, term sheet, vc
private-equity: private equity, pe firm, portfolio company, buyout, sponsor owned, pe backed
ipo: ipo, going public, listing, public offering, floated, stock market, s1
subscription: subscription, recurring, saas fee, monthly plan, annual plan, membership, plan tier
license: license, seat, user license, per user, named user, entitlement, seat count
usage-pricing: usage based, consumption, pay as you go, metered, per transaction, credits, overage
hidden-cost: hidden cost, extra fee, add on cost, surcharge, unexpected charge, implementation fee, setup fee, total cost of ownership, tco, service fee
price-increase: price increase, price hike, uplift, rate increase, raised prices, going up, more expensive than before, cost went up, escalator
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
