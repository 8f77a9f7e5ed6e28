import { parseSeniority } from '#domain/score/seniority.js';

describe('parseSeniority', () => {
  it.each([
    ['CEO', 'c_level'],
    ['Founder & CEO', 'founder'],
    ['Geschäftsführerin', 'c_level'],
    ['Directeur général', 'c_level'],
    ['VP Sales EMEA', 'vp'],
    ['Vice President, Marketing', 'vp'],
    ['Head of Customer Success', 'head'],
    ['Vertriebsleiter', 'head'],
    ['Responsable de ventas', 'head'],
    ['Försäljningschef', 'head'],
    ['Directora de Compras', 'director'],
    ['Direttore vendite', 'director'],
    ['Senior Sales Manager', 'manager'],
    ['Assistant Manager', 'manager'],
    ['Senior Software Engineer', 'senior'],
    ['Staff Engineer', 'senior'],
    ['Account Executive', 'individual'],
    ['Product Owner', 'individual'],
  ])('ranks %j as %s', (title, rank) => expect(parseSeniority(title)).toBe(rank));

  it.each([
    ['Assistant to the CEO', 'junior'],
    ['Executive Assistant to the VP Sales', 'junior'],
    ['Assistentin der Geschäftsführung', 'junior'],
    ['Former VP Sales', 'individual'],
    ['Ehemaliger Geschäftsführer', 'individual'],
    ['ex-CEO', 'individual'],
    ['Intern, Office of the CEO', 'junior'],
    ['Advisor to the CEO', 'individual'],
    ['Praktikant Vertrieb', 'junior'],
    ['Internal Communications Specialist', 'individual'],
    ['Founding Engineer', 'individual'],
    ['Ownership Analyst', 'individual'],
    ['Headhunter', 'individual'],
  ])('does not take %j for the rank of somebody else or of the past', (title, rank) =>
    expect(parseSeniority(title)).toBe(rank),
  );

  it('takes the role that is held beside one that is not', () => {
    expect(parseSeniority('CTO, former VP Engineering')).toBe('c_level');
    expect(parseSeniority('ex-Google, Head of Data')).toBe('head');
  });
});
