import { describe, expect, test } from 'vitest'

import { browserContract, fakeBrowser, fakeGuard, llmContract, scriptedLLM, tabContract } from '../src/index.ts'

describe('fakeBrowser keeps the contract', () => {
  for (const { name, run } of [...browserContract, ...tabContract]) test(name, () => run(fakeBrowser))
})

describe('scriptedLLM keeps the contract', () => {
  for (const { name, run } of llmContract) test(name, () => run(({ replies }) => scriptedLLM(replies)))
})

const profile = { headers: {}, mobile: false, blockAds: false, skipTlsVerification: false }
const never = () => new AbortController().signal

describe('fakeBrowser', () => {
  test('tells what was done, in which tab and in which order', async () => {
    const fake = fakeBrowser({ pages: { 'http://127.0.0.1/a': '<h1>A</h1><button id="b">B</button>' } })
    const browser = fake(fakeGuard())
    const tab = await browser.open({ ...profile, mobile: true }, never())
    await tab.goto(new URL('http://127.0.0.1/a'), never())
    await tab.click('#b', { all: false }, never())
    await tab.scroll('down', undefined, never())
    expect(fake.actions.map(({ tab, name, detail }) => `${tab} ${name} ${detail}`)).toEqual([
      '1 goto http://127.0.0.1/a',
      '1 click #b',
      '1 scroll down',
    ])
    expect(fake.profiles[0]?.mobile).toBe(true)
    expect(fake.openTabs).toBe(1)
    await browser.close()
    expect(fake.openTabs).toBe(0)
  })

  test('refuses a script without a written answer, rather than to make one up', async () => {
    const tab = await fakeBrowser({ pages: {} })(fakeGuard()).open(profile, never())
    await expect(tab.evaluate('document.title', never())).rejects.toThrow('No answer was written down')
  })

  test('refuses a selector that it does not know, rather than to find nothing', async () => {
    const tab = await fakeBrowser({ pages: { '/a': '<p>A</p>' } })(fakeGuard()).open(profile, never())
    await tab.goto(new URL('http://127.0.0.1/a'), never())
    await expect(tab.click('div > p', { all: false }, never())).rejects.toThrow('does not know the selector')
    await expect(tab.click('p.none', { all: false }, never())).rejects.toThrow('no element')
  })
})

describe('scriptedLLM', () => {
  test('gives the replies in their order, and the last one again and again', async () => {
    const llm = scriptedLLM([
      { value: 'one' },
      { error: new Error('busy') },
      ({ prompt }) => ({ value: `to ${prompt}` }),
    ])
    const ask = async (prompt: string) => (await llm.ask({ prompt }, never())).value
    expect(await ask('a')).toBe('one')
    await expect(ask('b')).rejects.toThrow('busy')
    expect([await ask('c'), await ask('d')]).toEqual(['to c', 'to d'])
    expect(llm.questions.map(({ prompt }) => prompt)).toEqual(['a', 'b', 'c', 'd'])
  })
})
