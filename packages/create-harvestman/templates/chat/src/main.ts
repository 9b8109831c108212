// npm start <url> [question]: reads a site, then answers questions. npm start: answers from the pages that were read before.
import { createInterface } from 'node:readline'

import { chatLLM } from '@harvestman/llm'

import { openChat } from './site-chat.ts'

const { MODEL_URL, MODEL_KEY, MODEL_NAME, PAGES = '50', ALLOW_PRIVATE } = process.env
if (!MODEL_URL)
  throw new Error('Set MODEL_URL in .env to a chat-completions endpoint, such as http://localhost:11434/v1.')

const [url, question] = process.argv.slice(2)
const chat = openChat({
  folder: 'pages',
  allowPrivate: ALLOW_PRIVATE?.split(',') ?? [],
  model: chatLLM({
    url: MODEL_URL,
    ...(MODEL_KEY && { key: MODEL_KEY }),
    ...(MODEL_NAME && { model: MODEL_NAME }),
  }),
})

/** Removes control characters, which could change the terminal, from text of pages and models. */
function printable(text: string): string {
  return text.replaceAll(/(?!\n)\p{Cc}/gu, '')
}

async function print(asked: string): Promise<void> {
  const { text, sources } = await chat.answer(asked)
  console.log(`\n${printable(text)}\n`)
  for (const { number, title, link } of sources) console.log(printable(`[${number}] ${title}\n    ${link}`))
}

try {
  if (url) console.log(`Pages read from ${url}: ${await chat.read(url, Number(PAGES))}`)
  if (question) await print(question)
  else {
    process.stdout.write('\n> ')
    for await (const line of createInterface({ input: process.stdin })) {
      // An endpoint that fails should not end the conversation.
      if (line.trim() !== '') await print(line).catch((error: unknown) => console.error(String(error)))
      process.stdout.write('\n> ')
    }
  }
} finally {
  await chat.close()
}
