import { expect, test } from 'vitest'

import { findTab } from './tabs.ts'

const receipt = { tab: 'T2', url: 'https://shop.test/orders/1234/receipt?copy=1' }
const help = { tab: 'T3', url: 'https://shop.test/help' }
const address = 'https://shop.test/orders/#/receipt'

test('a tab is found by its address, but for long numbers and the query, among others that open with it', () => {
  expect(findTab({ address }, [help, receipt])).toEqual({ kind: 'found', tab: 'T2' })
  expect(findTab({ address }, [help])).toEqual({ kind: 'none', tabs: [help] })
})

test('tabs of the same address are told apart by nothing', () => {
  const twin = { tab: 'T4', url: 'https://shop.test/orders/5678/receipt' }
  expect(findTab({ address }, [receipt, help, twin])).toEqual({ kind: 'several', tabs: [receipt, twin] })
})

test('a tab without an address is the only one that opens', () => {
  expect(findTab({}, [receipt])).toEqual({ kind: 'found', tab: 'T2' })
  expect(findTab({}, [receipt, help]).kind).toBe('several')
  expect(findTab({}, []).kind).toBe('none')
})
