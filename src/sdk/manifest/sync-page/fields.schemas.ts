/** The fields of an object of the CRM. */
export const fieldsResponse = {
  type: 'object',
  required: ['fields'],
  properties: {
    fields: {
      type: 'array',
      description: 'Fields of the CRM: those that are synced, then those with a proposal, then the others.',
      items: {
        type: 'object',
        required: [
          'name',
          'label',
          'type',
          'is_read_only',
          'property',
          'direction',
          'wins',
          'confidence_field',
          'freshness_field',
          'proposed',
        ],
        properties: {
          name: { type: 'string', description: 'Name of the field.', examples: ['jobtitle'] },
          label: { type: 'string', description: 'Name of the field for people.', examples: ['Job title'] },
          type: { type: 'string', description: 'Type of its values in the CRM.', examples: ['string'] },
          property: {
            type: ['string', 'null'],
            description: 'Property that the field states. Null if it is not synced.',
            examples: ['title'],
          },
          direction: {
            type: ['string', 'null'],
            description: 'Which ways values travel: `pull`, `push` or `both`. Null if the field is not synced.',
            examples: ['both'],
          },
          is_read_only: {
            type: 'boolean',
            description: 'Whether the CRM computes the field, so that nothing can write it.',
            examples: [false],
          },
          wins: {
            type: ['string', 'null'],
            description: 'Which value wins in the CRM, as in the setting `wins`. Null if the field is not synced.',
            examples: ['claims'],
          },
          confidence_field: {
            type: ['string', 'null'],
            description: 'Field of the CRM that gets the confidence of the value. Null if none does.',
            examples: [null],
          },
          freshness_field: {
            type: ['string', 'null'],
            description: 'Field of the CRM that gets the freshness of the value. Null if none does.',
            examples: [null],
          },
          proposed: {
            type: ['string', 'null'],
            description:
              'Property that the field states by its name. `field_map` takes it. Null if it is synced, or none fits.',
            examples: [null],
          },
        },
      },
    },
  },
} as const;
