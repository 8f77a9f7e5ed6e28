/** Systems, data, security, law. One concept per line: name, then phrases. */
export const technology = `
integration: integration, integrate, connector, connect with, plug in, sync, interface, works with, compatible, interoperability, hook up, api connection, connects to, connected to, works together with, talks to, link to, linked to, hooks into, data flows, import from, synced with, plugs into
api: api, rest api, endpoint, webhook, developer docs, sdk, programmatic access
crm: crm, salesforce, hubspot, pipedrive, dynamics, attio, zoho, customer relationship management
erp: erp, sap, netsuite, oracle, enterprise resource planning, dynamics 365
marketing-automation: marketing automation, marketo, pardot, mailchimp, hubspot marketing, email marketing, eloqua
sales-engagement: sales engagement, outreach, salesloft, sequencer, cadence tool, apollo, email sequence
data-warehouse: data warehouse, snowflake, bigquery, redshift, databricks, data lake
support-software: zendesk, intercom, freshdesk, help desk software, ticketing system, service cloud
chat-tool: slack, microsoft teams, teams, chat tool, messaging
email-tool: email, gmail, outlook, inbox, mailbox, exchange
calendar-tool: calendar, scheduling, booking, calendly, availability, invite
conversation-intelligence: gong, chorus, call recording, conversation intelligence, transcript, recorded call, call analysis
enrichment: enrichment, zoominfo, clearbit, contact data, data provider, append data, apollo data
bi-tool: tableau, looker, power bi, bi tool, data visualization
project-tool: jira, asana, monday, trello, project management, notion, task tracker
sso: sso, single sign on, saml, okta, login, identity provider, azure ad, authentication, scim
permissions: permissions, access control, roles, rbac, user rights, admin rights, restricted access
security: security, infosec, secure, security review, security assessment, security questionnaire, vulnerability, hardening, pen test, penetration test, data safe, safe data, how safe, protected, protect data, secured, security standards, security requirements, security concerns
breach: breach, hack, leak, data leak, security incident, compromised, attack, ransomware, phishing, exposed data
encryption: encryption, encrypted, key management, at rest, in transit
privacy: privacy, gdpr, personal data, data protection, dpa, ccpa, data processing agreement, dsgvo, pii, data protection officer, works council, customer data, personal information, where data goes, consent, data rules
certification: soc 2, soc2, iso 27001, iso27001, certification, hipaa, pci, fedramp, attestation, accredited, certified, certificates, audit report, certificate, iso, soc report
compliance: compliance, regulation, regulatory, audit, governance, compliant, legal requirement, policy, auditor
data-residency: data residency, data location, eu hosting, where data is stored, hosted in, data center, data sovereignty, region hosting, servers in, hosted in europe, hosted in germany, data leaves, data must stay, data has to stay, stay in the country, stored in, location of servers
on-premise: on premise, self hosted, on prem, own servers, private cloud, local installation, behind firewall
cloud: cloud, aws, azure, google cloud, gcp, hosted, public cloud
mobile: mobile, phone app, ios, android, smartphone, tablet, mobile app
ai: ai, artificial intelligence, machine learning, llm, gpt, chatgpt, copilot, generative, ml, agent, model
ai-concern: hallucination, ai policy, ai ban, model training on data, trust in ai, ai governance, ai risk
customization: customization, customize, configurable, tailor, flexible, adapt, bespoke, custom fields, personalize
inflexible: inflexible, rigid, cannot customize, one size fits all, limited options, locked down
backup: backup, disaster recovery, restore, redundancy, business continuity, failover
export: export, download data, get data out, data portability, vendor lock in, lock in, extract
import: import, upload, csv import, load data, ingest, bulk upload
dedupe: duplicate, dedupe, merge records, double entries, cleanup duplicates
workflow: workflow, process, routing, approvals, rules, playbook, sequence of steps
notification: notification, alert, reminder, email alert, ping
search: search, find, lookup, discoverability, retrieve
architecture: architecture, infrastructure, technical design, tech stack, platform, stack
it-resources: it resources, engineering time, developer time, it bandwidth, technical resources, it backlog, dev capacity
vendor-review: vendor review, vendor assessment, third party risk, due diligence, supplier onboarding, vendor onboarding, risk assessment
insurance-legal: indemnity, liability cap, limitation of liability, warranty, insurance certificate, cyber insurance
nda: nda, confidentiality, non disclosure, confidential, mnda
intellectual-property: intellectual property, ip ownership, patent, copyright, trademark
termination-clause: termination clause, notice period, exit clause, termination for convenience, break clause, opt out clause, cancellation terms, get out clause
exclusivity: exclusivity, exclusive, sole supplier, non compete
multi-year: multi year, three year, two year, long term contract, term length, commitment period, longer term
month-to-month: month to month, monthly contract, no commitment, short term, flexible term, cancel anytime
`;
