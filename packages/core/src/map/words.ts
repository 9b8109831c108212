// Normalizes words in titles, URLs and queries, so that words with the same meaning mostly become the same string.

/** A word, normalized for comparison. */
export interface Word {
  readonly text: string
  readonly stem: string
}

const eastern = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0e7f]/

/**
 * Splits a string at everything except letters and digits, at a change from lower to upper case, and between letters and
 * digits; text without spaces, such as Chinese, into pairs of characters. Empty if there are no letters and digits. The pieces
 * are not normalized: most of them occur often, and callers cache their result per piece.
 */
export function splitWords(text: string): readonly string[] {
  const parted = /[a-z][A-Z]/.test(text) ? text.replace(/([a-z])(?=[A-Z])/g, '$1 ') : text
  if (/^[\x00-\x7f]*$/.test(parted)) return parted.match(/[A-Za-z]+|\d+/g) ?? []
  const pieces = parted.match(/[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0e7f]+|[\p{L}\p{M}]+|\p{N}+/gu) ?? []
  return pieces.some((piece) => eastern.test(piece)) ? pieces.flatMap(pairsOf) : pieces
}

/** Splits words of languages without spaces into pairs of characters. */
function pairsOf(piece: string): string[] {
  if (!eastern.test(piece)) return [piece]
  const characters = Array.from(piece.normalize('NFKC'))
  if (characters.length < 2) return [characters.join('')]
  return characters.slice(1).map((character, at) => characters[at]! + character)
}

/** Normalizes a piece from `splitWords` and adds its stem. */
export function normalizeWord(piece: string): Word {
  if (eastern.test(piece)) return { text: piece, stem: piece }
  const text = plain(piece)
  return { text, stem: stemOf(text) }
}

/** Removes case and diacritics, which users often omit. */
function plain(piece: string): string {
  const small = piece.toLowerCase()
  if (/^[a-z\d]*$/.test(small)) return small
  return small
    .replaceAll('ß', 'ss')
    .replaceAll('ø', 'o')
    .replaceAll('æ', 'ae')
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
}

// Word endings of English, German and the Romance languages, longest first. Both sides are stemmed, so a wrong cut does little
// harm.
const endings = [
  'isations',
  'izations',
  'isation',
  'ization',
  'lichkeit',
  'ications',
  'ication',
  'ations',
  'ation',
  'ements',
  'ement',
  'ments',
  'ungen',
  'heiten',
  'keiten',
  'ables',
  'ibles',
  'ities',
  'ings',
  'ions',
  'ment',
  'heit',
  'keit',
  'able',
  'ible',
  'ives',
  'ance',
  'ence',
  'ing',
  'ung',
  'ies',
  'ied',
  'ion',
  'ers',
  'ern',
  'est',
  'ity',
  'ive',
  'ado',
  'ido',
  'ez',
  'ed',
  'es',
  'er',
  'en',
  'em',
  'ly',
  'al',
  'os',
  'as',
  's',
  'e',
  'y',
  'n',
  'a',
  'o',
  'i',
]
const minStemLength = 4

function stemOf(text: string): string {
  if (text.length <= minStemLength || /\d/.test(text)) return text
  // German umlauts are often written as ae, oe and ue.
  let stem = text.replace(/([aou])e/g, '$1')
  for (let round = 0; round < 2; round++) {
    const ending = endings.find((one) => stem.endsWith(one) && stem.length - one.length >= minStemLength)
    if (ending === undefined) break
    stem = stem.slice(0, -ending.length)
  }
  return stem.replace(/(.)\1$/, '$1')
}

const small =
  'a an and are as at be by can do does for from get has have how i in is it its me my of on or our that the there this to use we what when where which who why will with you your ' +
  'der die das den dem des ein eine einen einer eines im in ist mit nach oder und von vom wie was wo zu zum zur ich bei auf aus fur ' +
  'au aux avec ce comment dans de des du en est et il je la le les mon nos notre ou par pour que qui sur un une votre vos ' +
  'como con del el los mi para por que se su un una y al che di il lo per'
const smallWords: ReadonlySet<string> = new Set(small.split(' '))

/** Returns whether a word is a stop word, such as `the`, in English, German, French, Spanish or Italian. */
export function isStopWord({ text }: Word): boolean {
  return smallWords.has(text)
}

// Synonyms that sites use. A word of a query also matches the others in its row, with a lower score.
const rows = [
  'login signin logon anmelden einloggen connexion',
  'register signup join registrieren',
  'price pricing prices plan plans cost costs tarif tarife tarifs preise prix',
  'job jobs career careers vacancy vacancies karriere stellen emploi recrutement',
  'help support faq hilfe aide',
  'documentation docs doc manual handbook guide reference',
  'contact kontakt',
  'about company team',
  'blog news article articles post posts',
  'shop store kaufen',
  'delivery shipping versand livraison',
  'return returns refund refunds ruckgabe widerruf retour retours',
  'terms tos conditions agb cgv',
  'privacy datenschutz confidentialite gdpr dsgvo',
  'imprint impressum legal mentions',
  'install installation setup',
  'bug bugs issue issues error errors problem problems troubleshooting',
  'photo photos picture pictures image images',
  'laptop laptops notebook notebooks',
  'authentication auth oauth',
  'start started quickstart tutorial introduction beginner beginners',
  'delete remove destroy',
  'update upgrade migrate migration',
  'changelog releases history',
  'student students studying admission admissions apply',
  'tax taxes steuer impot impots',
  'search find',
].map((row) => row.split(' '))

const rowsOf: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  rows.flatMap((row) => row.map((word) => [word, new Set(row)] as const)),
)

/** Returns the synonyms of a word, including the word itself; `undefined` if there are none. */
export function synonymsOf({ text }: Word): ReadonlySet<string> | undefined {
  return rowsOf.get(text)
}
