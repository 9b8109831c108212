// Starts one agent and one piece of research for a team with credits, and works on them until it is killed.
// node answers-child.ts <store> <address of the shop> <address of the model>
import { agent, answers, deepResearch } from '@harvestman/answers'
import { createEngine } from '@harvestman/core'
import { sqliteStore } from '@harvestman/keyv'
import { chatLLM } from '@harvestman/llm'

import { searchOf } from './answers-world.ts'

const [, , path = '', shop = '', model = ''] = process.argv
const engine = createEngine({
  store: sqliteStore(path),
  allowPrivate: ['127.0.0.0/8'],
  llm: chatLLM({ url: model, key: 'k', model: 'm' }),
  search: searchOf(shop),
  plugins: [answers],
  limits: { leaseTime: 2_000 },
})
await engine.ledger.grant({ team: 'acme', credits: 100, id: 'first' })
const call = { team: 'acme' }
const reader = await engine.start(agent, { prompt: 'What is it made of?', urls: [shop], maxCredits: 50 }, call)
const researcher = await engine.start(deepResearch, { query: 'What are lamps made of?', maxDepth: 1 }, call)
process.stdout.write(`${JSON.stringify({ agent: reader.id, research: researcher.id })}\n`)
await Promise.all([reader.end(), researcher.end()])
process.stdout.write('ended\n')
