// node test/bench/quality/languages.ts [--wrong th-TH] [--structure forum]
// Scores main content, title, author and date on 204 pages by rule in twelve languages: the same structures in each.
import { parseArgs } from 'node:util'
import { readHtml } from '../../../packages/html/src/readings/read.ts'
import { makePage, type MadePage } from './language-pages.ts'
import { structures } from './language-structures.ts'
import { languages, type Language } from './language-words.ts'
import { scoreBag } from './metrics.ts'
import { plainText } from './plain-text.ts'

const { values: flags } = parseArgs({ options: { wrong: { type: 'string' }, structure: { type: 'string' } } })
const pagesPerLanguage = 17
const names = Object.keys(structures)

interface Scores {
  readonly text: number
  readonly title: number
  readonly author: number | undefined
  readonly date: number | undefined
}

/** Separates the characters of scripts without spaces, so that each is a word. */
const apart = (text: string): string =>
  text.replaceAll(/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]/gu, (character) => ` ${character} `)

const lineOf = (value: string | readonly string[] | undefined): string => [value ?? []].flat().join(', ')

function scoresOf(page: MadePage, isShown: boolean): Scores {
  const scope = { onlyMainContent: true, includeTags: [], excludeTags: [] }
  const wanted = ['markdown', 'metadata'].map((name) => ({ name }))
  const { markdown, metadata } = readHtml({ html: page.html, url: page.url }, scope, wanted).values
  const facts = metadata as Readonly<Record<string, string | readonly string[]>>
  const given = {
    title: lineOf(facts['headline'] ?? facts['title']),
    author: lineOf(facts['author']),
    date: lineOf(facts['publishedTime']).slice(0, 10),
  }
  const text = plainText(String(markdown))
  const scores = {
    text: scoreBag(apart(text), apart(page.text)).f1,
    title: scoreBag(apart(given.title), apart(page.title)).f1,
    author: page.author === '' ? undefined : Number(given.author === page.author),
    date: page.date === '' ? undefined : Number(given.date === page.date),
  }
  if (isShown && (scores.text < 0.9 || scores.title < 1 || scores.author === 0 || scores.date === 0)) {
    console.log(page.url, scores, given, { author: page.author, date: page.date })
    if (scores.text < 0.9) console.log(text.slice(0, 1_500), '\n---')
  }
  return scores
}

const mean = (values: readonly (number | undefined)[]): number => {
  const known = values.filter((value) => value !== undefined)
  return known.reduce((sum, value) => sum + value, 0) / Math.max(1, known.length)
}

function scoresIn(language: Language): readonly (Scores & { readonly structure: string })[] {
  return Array.from({ length: pagesPerLanguage }, (_, seed) => ({ structure: names[seed % names.length]!, seed }))
    .filter(({ structure }) => flags.structure === undefined || structure === flags.structure)
    .map(({ structure, seed }) => {
      const page = makePage(language, structures[structure]!, seed)
      return { structure, ...scoresOf(page, language.tag === flags.wrong) }
    })
}

const kinds = ['text', 'title', 'author', 'date'] as const
console.log(`| language | text F1 | title | author | date | text by structure: ${names.join(', ')} |`)
console.log('| --- | --- | --- | --- | --- | --- |')
for (const language of languages) {
  const rows = scoresIn(language)
  const means = kinds.map((kind) => mean(rows.map((row) => row[kind])).toFixed(3))
  const byStructure = names.map((name) =>
    mean(rows.filter(({ structure }) => structure === name).map(({ text }) => text)).toFixed(2),
  )
  console.log(`| ${language.tag} | ${means.join(' | ')} | ${byStructure.join(', ')} |`)
}
