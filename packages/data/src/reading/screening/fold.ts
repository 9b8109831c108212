// Spellings of the same words: case, width, accents, look-alike letters and digits in place of letters.

/** Letters of other scripts that look like Latin ones. */
const lookalikes = new Map(
  Object.entries({
    ...{ а: 'a', в: 'b', е: 'e', һ: 'h', і: 'i', ј: 'j', к: 'k', м: 'm', н: 'h', о: 'o', р: 'p', с: 'c', ѕ: 's' },
    ...{ т: 't', у: 'y', х: 'x', ԁ: 'd', ԛ: 'q', ԝ: 'w', ɡ: 'g', ո: 'n', ս: 'u', ց: 'g' },
    ...{ α: 'a', ε: 'e', ι: 'i', κ: 'k', ν: 'v', ο: 'o', ρ: 'p', τ: 't', υ: 'u', χ: 'x', ı: 'i', ł: 'l' },
  }),
)

const mixed = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}]+/gu
const ascii = /^[\0-\u007F]*$/
const plain = /^[\0-\u02FF\u0370-\u1DFF\u2010-\u206F]*$/

/**
 * Returns a string in lower case and compatible characters, without accents and soft hyphens. In words of mixed scripts,
 * letters that look like Latin ones become these. Runs of spaces become one space, and runs of line breaks one line break.
 */
export function fold(text: string): string {
  const spaced = text.replaceAll(/[^\S\n]+/g, ' ').replaceAll(/(?: ?\n)+ ?/g, '\n')
  if (ascii.test(spaced)) return spaced.toLowerCase()
  return spaced
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036F\u00AD\u200B-\u200F\u2060-\u2064\uFEFF]/g, '')
    .normalize('NFC')
    .toLowerCase()
    .replaceAll('ı', 'i')
    .replaceAll(mixed, (word) =>
      isMixed(word) ? Array.from(word, (one) => lookalikes.get(one) ?? one).join('') : word,
    )
}

function isMixed(word: string): boolean {
  return !plain.test(word) || (/\p{Script=Latin}/u.test(word) && /[^\p{Script=Latin}]/u.test(word))
}

const digits = new Map(
  Object.entries({ 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', 7: 't', '@': 'a', $: 's', '!': 'i', '|': 'i' }),
)

/** The Latin letters of a folded string, without anything between them, and their positions in it. */
export interface Letters {
  readonly text: string
  readonly positions: readonly number[]
}

/**
 * Returns the letters `a` to `z` of a folded string. Digits and signs count as the letters that they resemble, such as `4` as
 * `a`; all other characters are omitted.
 */
export function lettersOf(folded: string): Letters {
  const letters: string[] = []
  const positions: number[] = []
  for (let at = 0; at < folded.length; at += 1) {
    const code = folded.charCodeAt(at)
    const letter = code >= 97 && code <= 122 ? folded[at] : digits.get(folded[at]!)
    if (letter === undefined) continue
    letters.push(letter)
    positions.push(at)
  }
  return { text: letters.join(''), positions }
}
