import { describe, expect, test } from 'vitest'

import { citablePage, citeStatements, citeValues, readStatements } from './citations.ts'

const { signal } = new AbortController()
const markdown = [
  '# Lamps',
  'Opened on 12 May. The **Aurora** is made of oak and costs EUR 12. It weighs 3 kg.',
  '| Lamp | Stock |\n| --- | --- |\n| Luna | 40 |\n| Sol | 7 |',
  'Delivery takes 40 days.',
].join('\n\n')
const page = () => citablePage({ url: 'https://shop.test/#top', markdown }, signal)

describe('values', () => {
  test('are cited with the sentence that has them, at its place in the Markdown', async () => {
    const [claim] = await citeValues({ material: 'oak' }, [await page()], signal)
    const [citation] = claim?.citations ?? []
    expect(claim).toMatchObject({ claim: 'oak', pointer: '/material' })
    expect(citation?.quote).toBe('The **Aurora** is made of oak and costs EUR 12.')
    expect(markdown.slice(citation?.start, citation?.end)).toBe(citation?.quote)
    expect(citation?.link).toBe(
      'https://shop.test/#:~:text=The%20Aurora%20is%20made%20of,oak%20and%20costs%20EUR%2012.',
    )
    expect(citation?.hash).toMatch(/^[\da-f]{64}$/)
    expect(citation?.chunk).toMatch(/^[\da-f]{16}$/)
  })

  test('that the page has several times are cited where it names their field', async () => {
    const claims = await citeValues({ costs: 12, delivery: { days: 40 } }, [await page()], signal)
    expect(claims.map(({ citations: [one] }) => one?.quote)).toEqual([
      'The **Aurora** is made of oak and costs EUR 12.',
      'Delivery takes 40 days.',
    ])
  })

  test('that no page has are marked by the absence of citations', async () => {
    expect(await citeValues({ material: 'steel', isNew: true }, [await page()], signal)).toEqual([
      { claim: 'steel', pointer: '/material', citations: [] },
      { claim: true, pointer: '/isNew', citations: [] },
    ])
  })
})

describe('statements', () => {
  const cited = async (answer: string) => {
    const { text, statements } = readStatements(answer)
    const claims = await citeStatements(statements, [await page()], signal)
    return { text, claims: claims.map(({ claim, citations }) => [claim, citations.map(({ quote }) => quote)]) }
  }

  test('are cited with the passages that the model copied, which the text no longer has', async () => {
    const answer =
      '## Lamps\n\n1. The Aurora costs 12 euros <cite>the Aurora is made of oak and costs EUR 12</cite>.\n' +
      '2. It is heavy. <cite>It weighs 3 kg.</cite> Nobody knows why.'
    expect(await cited(answer)).toEqual({
      text: '## Lamps\n\n1. The Aurora costs 12 euros.\n2. It is heavy. Nobody knows why.',
      claims: [
        ['The Aurora costs 12 euros.', ['The **Aurora** is made of oak and costs EUR 12.']],
        ['It is heavy.', ['It weighs 3 kg.']],
        ['Nobody knows why.', []],
      ],
    })
  })

  test('lose passages that the page does not have, or that do not have the numbers of the statement', async () => {
    const { claims } = await cited(
      'It is made of steel <cite>The Aurora is made of steel</cite>. ' +
        'It costs EUR 15 <cite>made of oak and costs EUR 12</cite>. It is a lamp <cite>The</cite>.',
    )
    expect(claims.map(([, quotes]) => quotes)).toEqual([[], [], []])
  })

  test.each([
    ['1.5', '15', false],
    ['5', '-5', false],
    ['-5', '5', false],
    ['-5', '\u22125', true],
    ['1500', '1,500', true],
    ['1.5', '1,5', true],
    ['1500.2', '1.500,20', true],
    ['3', '3.0', true],
    ['10', '5-10', true],
    ['1.2.3', '12.3', false],
  ])('with the number %s and a passage with %s: %s', async (claimed, written, isCited) => {
    const quote = `It weighs about ${written} kg.`
    const other = await citablePage({ url: 'https://shop.test/', markdown: quote }, signal)
    const { statements } = readStatements(`It has ${claimed} kg <cite>${quote}</cite>.`)
    const [first] = await citeStatements(statements, [other], signal)
    expect(first?.citations).toHaveLength(isCited ? 1 : 0)
  })

  test('of a text without passages are all marked, and the text is unchanged', async () => {
    const text = 'It weighs 3 kg. It is of oak.'
    expect(await cited(text)).toEqual({
      text,
      claims: [
        ['It weighs 3 kg.', []],
        ['It is of oak.', []],
      ],
    })
  })

  test('with tags that are not closed lose only the tags', async () => {
    expect((await cited('It weighs 3 kg <cite>It weighs 3 kg.')).text).toBe('It weighs 3 kg It weighs 3 kg.')
  })
})

test('a passage of a very long line is a part of it that has the claim, in whole words', async () => {
  const line = `${'word '.repeat(2_000)}needle ${'other '.repeat(2_000)}`
  const [claim] = await citeValues(
    ['needle'],
    [await citablePage({ url: 'https://a.test/', markdown: line }, signal)],
    signal,
  )
  const quote = claim?.citations[0]?.quote ?? ''
  expect(quote).toMatch(/^(?:word )+needle(?: other)+$/)
  expect(quote.length).toBeLessThan(400)
})
