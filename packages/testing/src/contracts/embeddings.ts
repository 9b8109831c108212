import assert from 'node:assert/strict'

import type { Embeddings } from '@harvestman/ports'

import type { Contract } from '../contract.ts'
import { reasonOf } from './until.ts'

/** Creates an embedding model; with `silence` it never responds. */
export type MakeEmbeddings = (given: { readonly silence: boolean }) => Embeddings | Promise<Embeddings>

function rule(name: string, check: (model: Embeddings) => Promise<void>, silence = false) {
  return { name, run: async (make: MakeEmbeddings) => check(await make({ silence })) }
}

const never = () => new AbortController().signal
const reason = new Error('no more')
const oddTexts = ['', ' ', '\0', '😀', 'Über “Netze”', '蜘蛛の巣', 'แมงมุม', 'x'.repeat(2_000)]

function checkAll(vectors: readonly Float32Array[], count: number): void {
  assert.equal(vectors.length, count)
  for (const vector of vectors) {
    assert.equal(vector.length, vectors[0]?.length)
    assert.ok(Math.abs(similarity(vector, vector) - 1) < 1e-3, 'A vector must have length 1.')
  }
}

function similarity(one: Float32Array, other: Float32Array): number {
  return one.reduce((sum, value, index) => sum + value * (other[index] ?? 0), 0)
}

/** The contract of the `Embeddings` port. */
export const embeddingsContract: Contract<MakeEmbeddings> = [
  rule('each text has a vector of length 1, and all have the same dimensions', async (model) => {
    const { vectors, usage } = await model.embed(['A spider.', 'A web.', 'A spider.'], 'document', never())
    checkAll(vectors, 3)
    assert.ok(Number.isInteger(usage.inputTokens) && usage.inputTokens >= 0)
    assert.equal(usage.outputTokens, 0)
    assert.ok(model.name.length > 0)
  }),
  rule('a text has the same vector, whatever the other texts are', async (model) => {
    const texts = Array.from({ length: 70 }, (_, index) => `Text ${index} about ${index * index} spiders.`)
    const { vectors } = await model.embed(texts, 'document', never())
    checkAll(vectors, texts.length)
    for (const index of [0, 33, 69]) {
      const { vectors: alone } = await model.embed([texts[index] ?? ''], 'document', never())
      assert.ok(similarity(alone[0]!, vectors[index]!) > 0.999)
      assert.ok(similarity(alone[0]!, vectors[(index + 1) % 70]!) < 0.9999)
    }
  }),
  rule('no texts are no vectors', async (model) => {
    const { vectors, usage } = await model.embed([], 'query', never())
    assert.deepEqual({ vectors, usage }, { vectors: [], usage: { inputTokens: 0, outputTokens: 0 } })
  }),
  rule('texts in other scripts, without words and with odd characters have vectors', async (model) => {
    const { vectors } = await model.embed(oddTexts, 'query', never())
    checkAll(vectors, oddTexts.length)
  }),
  rule('calls at the same time do not mix', async (model) => {
    const texts = ['A spider.', 'A web.', 'A fly.']
    const all = await Promise.all(texts.map((text) => model.embed([text], 'document', never())))
    const { vectors } = await model.embed(texts, 'document', never())
    for (const [index, one] of all.entries()) assert.ok(similarity(one.vectors[0]!, vectors[index]!) > 0.999)
  }),
  rule('a call whose signal is aborted already rejects with the reason', async (model) => {
    assert.equal(await reasonOf(model.embed(['A'], 'query', AbortSignal.abort(reason))), reason)
  }),
  rule(
    'a call rejects with the reason when its signal is aborted meanwhile',
    async (model) => {
      const controller = new AbortController()
      const failure = reasonOf(model.embed(['A'], 'query', controller.signal))
      await new Promise((resolve) => setTimeout(resolve, 20))
      controller.abort(reason)
      assert.equal(await failure, reason)
    },
    true,
  ),
]
