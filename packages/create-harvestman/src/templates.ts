/** A project template. */
export interface Template {
  readonly name: string
  readonly description: string
  /** Commands to run after `npm install`. */
  readonly next: readonly string[]
}

/** All templates, in the order of the prompt. */
export const templates: readonly Template[] = [
  { name: 'script', description: 'A script that scrapes pages', next: ['npm start https://example.com'] },
  { name: 'hono', description: 'A server with Hono', next: ['npm start'] },
  { name: 'express', description: 'A server with Express', next: ['npm start'] },
  { name: 'fastify', description: 'A server with Fastify', next: ['npm start'] },
  { name: 'next', description: 'A Next app with the API in a route', next: ['npm run dev'] },
  { name: 'chat', description: 'Chat with a site: answers with citations', next: ['npm start https://example.com'] },
  { name: 'plugin', description: 'A plugin with its test', next: ['npm test'] },
  {
    name: 'redis',
    description: 'An API and workers on Redis',
    next: ['docker compose up --detach', 'npm start', 'npm run worker'],
  },
]

/** Returns the template with this name, or `undefined` if there is none. */
export function findTemplate(name: string): Template | undefined {
  return templates.find((template) => template.name === name)
}
