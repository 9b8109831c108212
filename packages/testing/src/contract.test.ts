import { expect, test } from 'vitest'

import { withoutCases, type Contract } from './contract.ts'

const contract: Contract<() => void> = ['one', 'two', 'three'].map((name) => ({ name, run: async () => undefined }))

test('leaves out the cases that have a reason', () => {
  expect(withoutCases(contract, { two: 'this backend has no clock' }).map(({ name }) => name)).toEqual(['one', 'three'])
})

test('refuses a name that is no case', () => {
  expect(() => withoutCases(contract, { four: 'some reason' })).toThrow('There is no case "four"')
})

test('refuses a case without a reason', () => {
  expect(() => withoutCases(contract, { two: ' ' })).toThrow('Say why "two"')
})
