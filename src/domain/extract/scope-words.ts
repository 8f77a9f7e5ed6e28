/** Returns a pattern of whole words in any script, regardless of case. */
function words(alternatives: string): RegExp {
  return new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${alternatives})(?![\p{L}\p{N}])`, 'iu');
}

/** Negation in German, French and Spanish. It may follow what it denies. */
export const FOREIGN_NEGATION = words(
  String.raw`nicht|kein(?:e|en|er|em|es)?|nie|niemals|niemand|ohne|weder|ne|n'\p{L}+|pas|jamais|aucune?|sans|nunca|jamás|ningún|ninguna|nadie|sin|tampoco`,
);

/** Words by which a German, French or Spanish sentence leaves open whether it is so, or says so only of the future. */
export const FOREIGN_HEDGE = words(
  String.raw`vielleicht|wahrscheinlich|vermutlich|möglicherweise|eventuell|angeblich|wohl|anscheinend|offenbar|scheint|scheinen|könnte\p{L}*|würde\p{L}*|dürfte\p{L}*|soll(?:en|te|ten)?|glaub(?:e|t|en)|hoffentlich|wenn|falls|ob|sobald|sofern|möchte\p{L}*|wollen|plant|planen|wird|werden|laut|` +
    String.raw`peut-être|probablement|apparemment|paraît|semble(?:nt)?|serai(?:t|ent)|aurai(?:t|ent)|pourrai(?:t|ent)|devrai(?:t|ent)|selon|on dit|dit-on|si|s'il|s'ils|veut|veulent|envisage(?:nt)?|prévoi(?:t|ent)|` +
    String.raw`quizás?|tal vez|probablemente|posiblemente|parece|dicen|se dice|podría\p{L}*|sería\p{L}*|tendría\p{L}*|habría\p{L}*|supuestamente|creo que|quieren?|planean?|van? a`,
);

/** Words by which a German, French or Spanish sentence speaks of how things were. */
export const FOREIGN_PAST = words(
  String.raw`früher|damals|ehemals|ehemalige[rnms]?|war|waren|hatten?|letztes jahr|voriges jahr|` +
    String.raw`autrefois|auparavant|ancienne?|étai(?:t|ent)|avai(?:t|ent)|l'an dernier|l'année dernière|` +
    String.raw`antes|anteriormente|eran?|tenían?|solían?|el año pasado`,
);

/** People and companies that are related to the contact and not the contact. */
export const THIRD_PARTY = words(
  String.raw`competitors?(?:'s)?|suppliers?|vendors?|(?<!(?:as|is|are|be|a|an) )(?:customers?|clients?)(?:'s)?|brother|sister|husband|wife|friend|predecessor|successor|somebody|someone|a company|another company|companies|` +
    String.raw`konkurrent(?:en|in)?|wettbewerber|lieferant(?:en|in)?|kunden?|kundin|jemand|vorgänger(?:in)?|nachfolger(?:in)?|` +
    String.raw`concurrents?|fournisseurs?|quelqu'un|prédécesseur|competidor(?:es|a)?|proveedor(?:es|a)?|clientes?|alguien`,
);
