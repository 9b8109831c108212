import { expect, test } from 'vitest'

import { findPlainImports, optionalOf } from './check-optional.ts'

const optional = ['@harvestman/redis']
const found = (text: string): number => findPlainImports([{ file: 'packages/node/src/a.ts', text }], optional).length

test('optional packages are peers that may be missing, and optional dependencies', () => {
  const peerDependenciesMeta = { a: { optional: true }, b: {} }
  expect(optionalOf({ peerDependenciesMeta, optionalDependencies: { c: '1' } })).toEqual(['a', 'c'])
  expect(optionalOf({})).toEqual([])
})

test('imports that fail without naming an optional package are found', () => {
  expect(found("import { redisStore } from '@harvestman/redis'")).toBe(1)
  expect(found("import '@harvestman/redis'")).toBe(1)
  expect(found("export * from '@harvestman/redis/parts'")).toBe(1)
  expect(found("const { redisStore } = await import('@harvestman/redis')")).toBe(1)
})

test('types, other packages, and packages that are loaded by name are not', () => {
  expect(found("import type { RedisStoreOptions } from '@harvestman/redis'")).toBe(0)
  expect(found("type Redis = typeof import('@harvestman/redis')")).toBe(0)
  expect(found("import { redisLike } from '@harvestman/redis-like'")).toBe(0)
  expect(
    found("const redis = () => loadOptional('@harvestman/redis', 'A URL', () => import('@harvestman/redis'))"),
  ).toBe(0)
})
