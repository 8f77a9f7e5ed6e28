/** How values of a property are compared. `text` is compared by its letters, without case, width and extra spaces. */
export type ComparisonType =
  | 'text'
  | 'title'
  | 'seniority'
  | 'department'
  | 'company'
  | 'country'
  | 'industry'
  | 'number'
  | 'money'
  | 'phone'
  | 'email'
  | 'domain'
  | 'linkedin'
  | 'date';

const TYPES: Readonly<Record<Exclude<ComparisonType, 'text'>, string>> = {
  title: 'title previous_title role position headline_title',
  seniority: 'seniority',
  department: 'department function',
  company: 'company previous_company employer company_name parent_company competitors current_vendor vendor',
  country: 'country country_code company_country',
  industry: 'industry',
  number: 'headcount employees seats users team_size founded_year year_founded number_of_seats locations_count',
  money:
    'budget revenue annual_revenue arr mrr deal_value deal_size deal_amount contract_value acv tcv funding total_funding ' +
    'last_funding_amount valuation price quoted_price',
  phone: 'phone phones work_phone mobile_phone mobile direct_phone office_phone company_phone',
  email: 'email work_email personal_email',
  domain: 'domain website',
  linkedin: 'linkedin_url company_linkedin_url',
  date:
    'renewal_date close_date start_date end_date contract_end contract_start contract_renewal_date expected_close_date ' +
    'go_live_date founded_on birthday trial_end joined_at left_at',
};

const types: ReadonlyMap<string, ComparisonType> = new Map(
  Object.entries(TYPES).flatMap(([type, names]) =>
    names.split(' ').map(name => [name, type as ComparisonType] as const),
  ),
);

/** Returns how values of a canonical property are compared. */
export function comparisonTypeOf(property: string): ComparisonType {
  return types.get(property) ?? 'text';
}
