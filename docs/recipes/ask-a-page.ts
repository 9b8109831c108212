// Answers a question from one page. Works with any chat-completions endpoint, also a local one.
import { createEngine } from '@harvestman/core'
import { chatLLM } from '@harvestman/llm'

const [url = 'https://example.com', question = 'What is this page about?'] = process.argv.slice(2)
const llm = chatLLM({
  url: process.env['OPENAI_BASE_URL'] ?? 'http://localhost:11434',
  model: process.env['MODEL_NAME'] ?? 'llama3.2',
  key: process.env['OPENAI_API_KEY'],
})
const engine = createEngine({ llm })
const { answer } = await engine.scrape({ url, formats: [{ type: 'question', question }] })
console.log(answer)
await engine.close()
