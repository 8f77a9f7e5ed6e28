/** Well known software that companies say they use, as written. */
export const SOFTWARE: readonly string[] = (
  'Salesforce|HubSpot|Pipedrive|Zoho|Zendesk|Intercom|Freshdesk|Freshsales|Attio|Copper|Close|Dynamics 365|Microsoft Dynamics|' +
  'SAP|SAP S/4HANA|Oracle|NetSuite|Workday|Personio|BambooHR|Sage|DATEV|Xero|QuickBooks|Lexware|Odoo|' +
  'Slack|Microsoft Teams|Zoom|Notion|Asana|Jira|Confluence|Trello|Monday.com|ClickUp|Linear|Airtable|' +
  'Mailchimp|Marketo|Pardot|Klaviyo|Braze|Iterable|ActiveCampaign|Brevo|Customer.io|Segment|Amplitude|Mixpanel|' +
  'Google Analytics|Looker|Tableau|Power BI|Metabase|Snowflake|BigQuery|Databricks|Redshift|dbt|Fivetran|Airbyte|' +
  'Outreach|Salesloft|Apollo|Gong|Chorus|Clari|Lemlist|Instantly|Clay|ZoomInfo|Cognism|Lusha|' +
  'Shopify|Magento|WooCommerce|Shopware|WordPress|Webflow|Contentful|Stripe|Adyen|Mollie|PayPal|' +
  'AWS|Azure|Google Cloud|Kubernetes|Docker|PostgreSQL|MongoDB|MySQL|Redis|Kafka|Elasticsearch|' +
  'GitHub|GitLab|Bitbucket|Jenkins|Datadog|New Relic|Sentry|PagerDuty|Splunk|Okta|Auth0|' +
  'ServiceNow|Figma|Miro|DocuSign|PandaDoc|Dropbox|Box|Twilio|Aircall|Zapier|Make|n8n|Celonis'
).split('|');
