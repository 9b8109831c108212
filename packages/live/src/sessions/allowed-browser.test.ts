// What policies of plugins forbid is not done in live browsers either.
import { definePlugin, definePolicy, type PolicyQuestion } from '@harvestman/core/plugin'
import type { LiveAction, LiveBrowser } from '@harvestman/ports'
import { expect, test } from 'vitest'

import { kitOf } from '../fixtures/kit-of.ts'
import { allowedBrowser } from './allowed-browser.ts'

type May = (question: PolicyQuestion) => true | string

const policyOf = (may: May, name = 'house rules') => definePolicy({ name, may })
const notToB: May = (question) => question.is !== 'url' || question.url.hostname !== 'b.test' || 'Not to b.test.'
const denied = (message: RegExp) => ({ code: 'policy_denied', message: expect.stringMatching(message) as unknown })

test('Policies hold in live browsers, where none is told of a secret', async () => {
  const did: LiveAction[] = []
  const live = {
    tab: { url: async () => 'https://a.test/' },
    act: async (action: LiveAction) => void did.push(action),
  }
  const asked: PolicyQuestion[] = []
  const may: May = (question) => {
    asked.push(question)
    return question.is !== 'action' || question.action.type !== 'press' || 'No keys.'
  }
  const rules = definePlugin({ name: 'rules', policies: [policyOf(may), policyOf(notToB, 'no b')] })
  const { policies } = kitOf({ plugins: [rules] })
  const allowed = allowedBrowser(policies, 'a')
  // Cast: these two are all that is used of it.
  const browser = allowed.live(live as unknown as LiveBrowser)
  const signal = new AbortController().signal
  await browser.act({ type: 'fill', ref: 'e1', text: 'hunter2!', onlyOn: 'https://a.test' }, signal)
  await expect(browser.act({ type: 'press', key: 'Enter' }, signal)).rejects.toMatchObject(denied(/No keys/))
  expect(did.map(({ type }) => type)).toEqual(['fill'])
  expect(JSON.stringify(asked)).not.toContain('hunter2!')
  const { mayVisit } = allowed.profile({ headers: {}, mobile: false, blockAds: false, skipTlsVerification: false })
  await expect(mayVisit?.(new URL('https://b.test/'))).rejects.toMatchObject(denied(/Not to b\.test/))
})

test.each([[[]], [[policyOf(notToB)]]])('A live browser may be an instance of a class', async (policies) => {
  class Live {
    #notes = ['A page was ended.']
    takeNotes(): readonly string[] {
      return this.#notes
    }
  }
  const gate = kitOf({ plugins: [definePlugin({ name: 'rules', policies })] }).policies
  // Cast: this is all that is used of it.
  const browser = allowedBrowser(gate, 'a').live(new Live() as Partial<LiveBrowser> as LiveBrowser)
  expect(browser.takeNotes()).toEqual(['A page was ended.'])
})
