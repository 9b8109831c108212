import { describe, expect, test } from 'vitest'

import { pagePricing, tokenPricing } from './pricing.ts'
import { searchPrice, tokenPrice } from './tariff.ts'

const none = { inputTokens: 0, outputTokens: 0 }
const page = { formats: [], units: 1, hasEnhancedProxy: false, mayKeep: true }
const plan = { formats: [], tiers: ['basic'], mayKeep: true, cache: { read: undefined } }
const withModel = {
  format: {
    type: 'model',
    credits: (_: never, { inputTokens }: typeof none) => (inputTokens > 0 ? 4 : 0),
    creditsAtMost: () => 4,
  },
  options: {},
}
const byValue = {
  format: { type: 'rows', credits: (_: never, _usage: unknown, value: unknown) => Number(value ?? 0) },
  options: {},
}
const open = { format: { type: 'open', credits: (_: never, { inputTokens }: typeof none) => inputTokens }, options: {} }

describe('a page costs', () => {
  test.each([
    ['1', page, 1],
    ['1 for each page of its file', { ...page, units: 7 }, 7],
    ['5 through an enhanced proxy', { ...page, hasEnhancedProxy: true }, 5],
    ['1 more when nothing of it is kept', { ...page, mayKeep: false }, 2],
    ['5 with lockdown, whatever is stored', { ...page, isLockdown: true, mayKeep: false }, 5],
    ['4 more when it is redacted', { ...page, isRedacted: true }, 5],
    ['4 more for each page of a redacted file', { ...page, isRedacted: true, units: 3 }, 15],
    ['nothing for a copy that is unchanged, also a redacted one', { ...page, isRedacted: true, isCopy: true }, 0],
    [
      '5 with a format for which a model was asked',
      { ...page, formats: [{ ...withModel, usage: { ...none, inputTokens: 9 } }] },
      5,
    ],
    ['1 when that model was not needed', { ...page, formats: [{ ...withModel, usage: none }] }, 1],
    ['3 with a format whose value costs 2', { ...page, formats: [{ ...byValue, usage: none, value: 2 }] }, 3],
    ['1 if that format has no value', { ...page, formats: [{ ...byValue, usage: none }] }, 1],
  ])('%s', (_, scrape, credits) => {
    expect(pagePricing.price(scrape)).toBe(credits)
  })

  test('between what is sure and what is possible', () => {
    const auto = { ...plan, formats: [withModel], tiers: ['basic', 'enhanced'] }
    expect([pagePricing.atLeast(auto), pagePricing.atMost(auto), pagePricing.atMost(auto, 10)]).toEqual([1, 9, 18])
    expect(pagePricing.isBounded(auto)).toBe(true)
    expect(pagePricing.isBounded({ ...auto, formats: [open] })).toBe(false)
    const redacted = { ...plan, isRedacted: true }
    expect([pagePricing.atLeast(redacted), pagePricing.atMost(redacted), pagePricing.atMost(redacted, 3)]).toEqual([
      5, 5, 15,
    ])
    expect(pagePricing.atLeast({ ...plan, tiers: ['enhanced'] })).toBe(5)
    expect(pagePricing.atLeast({ ...plan, tiers: ['enhanced'], cache: { read: {} } })).toBe(1)
  })
})

test('work that is paid for by tokens costs a credit for 15 of them, and never less than its pages', () => {
  const used = (inputTokens: number) => ({
    ...page,
    formats: [{ ...withModel, usage: { inputTokens, outputTokens: 5 } }],
  })
  expect([0, 10, 11, 145].map((tokens) => tokenPricing.price(used(tokens)))).toEqual([1, 1, 2, 10])
  expect(tokenPricing.price({ ...used(145), hasEnhancedProxy: true, units: 20 })).toBe(24)
  expect(tokenPricing.isBounded(plan)).toBe(false)
})

test('a search costs 2 for each started ten of its results', () => {
  expect([0, 1, 10, 11, 20, 21].map((results) => searchPrice(results))).toEqual([2, 2, 2, 4, 4, 6])
})

test('tokens cost a credit for each started 15', () => {
  expect([0, 1, 15, 16].map((inputTokens) => tokenPrice({ inputTokens, outputTokens: 0 }))).toEqual([0, 1, 1, 2])
})
