/**
 * Words used in place of missing values, in lower case and without surrounding punctuation: English, German, French,
 * Spanish, Italian, Portuguese, Dutch, Polish, Swedish with Danish and Norwegian, and Japanese with Chinese.
 */
export const PLACEHOLDER_WORDS: readonly string[] = [
  // English, and what spreadsheets and programs write
  'n/a | na | n.a | n a | none | null | nil | nan | undefined | unknown | unspecified | not available',
  'not applicable | not known | not provided | not specified | not set | no data | no value | no answer',
  'tbd | tba | tbc | to be determined | to be confirmed | to be defined | empty | blank | missing',
  'test | testing | test test | dummy | placeholder | asdf | qwerty | xxx | xxxx | ref | value | n/d',
  // German
  'unbekannt | k.a | k. a | ka | keine | keine angabe | keine angaben | nicht bekannt | nicht angegeben',
  'nicht verfügbar | nicht vorhanden | entfällt | leer',
  // French
  'inconnu | inconnue | aucun | aucune | néant | non renseigné | non renseignée | non disponible',
  'non spécifié | sans objet | s.o | n.c | vide | à définir',
  // Spanish
  'desconocido | desconocida | ninguno | ninguna | no disponible | no aplica | sin datos',
  'sin especificar | s/d | vacío | por definir',
  // Italian
  'sconosciuto | sconosciuta | nessuno | nessuna | non disponibile | non applicabile | n.d | vuoto',
  'non specificato | da definire',
  // Portuguese
  'desconhecido | desconhecida | nenhum | nenhuma | não disponível | não aplicável | sem dados | vazio',
  'não informado | a definir',
  // Dutch
  'onbekend | geen | n.v.t | nvt | niet van toepassing | niet beschikbaar | niet bekend | leeg',
  // Polish
  'nieznany | nieznana | nieznane | brak | brak danych | nie dotyczy | nie podano | puste',
  // Swedish, Danish, Norwegian
  'okänd | okänt | saknas | ej tillgänglig | ej angivet | ukendt | ukjent | ikke oplyst | ikke oppgitt',
  // Japanese, Chinese
  '不明 | なし | 未定 | 未設定 | 未知 | 无 | 無 | 暂无 | 未填写 | 不詳',
].flatMap(line => line.split(' | '));
