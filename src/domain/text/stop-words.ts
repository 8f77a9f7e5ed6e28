/**
 * Function words. Negations are among them: they mean nothing alone, and concepts ("no budget") are found before stop
 * words are removed.
 */
export const stopWords: ReadonlySet<string> = new Set(
  `a about above after again all also am an and any are as at be because been before being below between both but by
   can could d did do does doing don down during each few for from further get gets getting got had has have having he
   her here hers him his how i if in into is it its itself just ll m may me might mine more most much must my myself
   no nor not now of off on once only or other our ours out over own re s same shall she should so some such t than
   that the their theirs them then there these they this those through to too under until up us ve very was we were
   what when where which while who whom whose why will with within without would yes you your yours yet im ive id
   youre weve theyre thats whats lets
   anyone anything someone something everyone everything tell know please say says`
    .trim()
    .split(/\s+/),
);
