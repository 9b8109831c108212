// From texts to what the index has of them, and from what is typed to what the index is asked.

// Scripts that write words without spaces between them.
const runs =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu

/** A text in which words stand apart: runs of a script without spaces become overlapping pairs of letters. */
export function spaced(text: string): string {
  return text.replace(runs, (run) => ` ${pairs(lettersOf(run))} `)
}

/** Code points: these scripts have none that is made of several. */
function lettersOf(run: string): readonly string[] {
  return Array.from(run)
}

/** Each pair of letters, and the last letter by itself, so that a single letter is found wherever it stands. */
function pairs(letters: readonly string[]): string {
  return letters.map((letter, at) => letter + (letters[at + 1] ?? '')).join(' ')
}

/** Without the last letter by itself: the pairs of a query must stand side by side, also in the middle of a run. */
function askedPairs(run: string): string {
  const letters = lettersOf(run)
  return letters
    .slice(0, -1)
    .map((letter, at) => letter + letters[at + 1]!)
    .join(' ')
}

/** What is looked for: words, or phrases in quotes. */
export interface Terms {
  readonly wanted: readonly string[]
  readonly unwanted: readonly string[]
}

const mostTerms = 32

/** Reads words, `"phrases in quotes"` and `-words` that must not be there. Whatever else is typed is let be. */
export function readTerms(typed: string): Terms {
  const wanted: string[] = []
  const unwanted: string[] = []
  for (const [, minus, phrase, word] of typed.matchAll(/(?:^|(?<=\s))(-?)(?:"([^"]*)"?|(\S+))/gu)) {
    const term = (phrase ?? word ?? '').replaceAll(/[\p{Cc}"]/gu, ' ').trim()
    if (!/[\p{L}\p{N}]/u.test(term)) continue
    ;(minus === '-' ? unwanted : wanted).push(term)
  }
  const telling = wanted.filter((term) => !stopWords.has(term.toLowerCase()))
  return {
    wanted: unique(telling.length > 0 ? telling : wanted),
    unwanted: unique(unwanted),
  }
}

function unique(terms: readonly string[]): readonly string[] {
  return [...new Set(terms)].slice(0, mostTerms)
}

/** The question in the language of the index; nothing when no word is left. `all` of the words, or any of them. */
export function matchOf({ wanted, unwanted }: Terms, how: 'all' | 'any'): string | undefined {
  if (wanted.length === 0) return undefined
  const asked = wanted.map(quoted).join(how === 'all' ? ' AND ' : ' OR ')
  return unwanted.length === 0 ? asked : `(${asked}) NOT (${unwanted.map(quoted).join(' OR ')})`
}

/** In quotes everything is a word, and words stand side by side. */
function quoted(term: string): string {
  const isOneLetter = lettersOf(term).length === 1 && new RegExp(runs.source, 'u').test(term)
  if (isOneLetter) return `"${term}" *`
  const words = term.replace(runs, (run) => ` ${lettersOf(run).length === 1 ? run : askedPairs(run)} `)
  return `"${words.trim()}"`
}

// They stand in nearly every text of their language, so they tell nothing and take the longest.
const stopWords = new Set(
  [
    'a an and are as at be but by for from how in into is it of on or that the this to was what when where which who will with',
    'der die das den dem des ein eine einer eines und oder ist sind im mit von zu für auf nicht wie was',
    'le la les un une des et ou est dans pour que qui sur avec au aux du',
    'el los las una y o es en por para con que del al como',
    'il lo gli di e è in per con che del della',
    'o os as um uma de e é em para com que do da dos das',
    'de het een en of is in op met van voor dat',
  ].flatMap((words) => words.split(' ')),
)
