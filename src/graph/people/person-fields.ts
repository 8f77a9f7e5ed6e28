/** The fields of a row. */
export const PERSON_FIELDS: readonly string[] = [
  'id entity_id name first_name last_name email linkedin_url title job_title seniority department company company_id',
  'account domain industry company_size city country phone photo_url stage pipeline_stage source status icp_score icp_fit',
  'first_seen_at last_activity_at enriched_at created_at updated_at',
].flatMap(line => line.split(' '));
