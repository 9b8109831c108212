/** A project template. */
export interface Template {
  readonly name: string
  readonly says: string
  /** Commands to run after `npm install`. */
  readonly next: readonly string[]
}

/** All templates, in the order of the prompt. */
export const templates: readonly Template[] = [
  { name: 'script', says: 'A script that scrapes pages', next: ['npm start https://example.com'] },
  { name: 'hono', says: 'A server with Hono', next: ['npm start'] },
  { name: 'express', says: 'A server with Express', next: ['npm start'] },
  { name: 'fastify', says: 'A server with Fastify', next: ['npm start'] },
  { name: 'next', says: 'A Next app with the API in a route', next: ['npm run dev'] },
  { name: 'chat', says: 'Chat with a site: answers with citations', next: ['npm start https://example.com'] },
  { name: 'plugin', says: 'A plugin with its test', next: ['npm test'] },
  {
    name: 'redis',
    says: 'An API and workers on Redis',
    next: ['docker compose up --detach', 'npm start', 'npm run worker'],
  },
]

/** Returns the template with this name, or `undefined` if there is none. */
export function findTemplate(name: string): Template | undefined {
  return templates.find((template) => template.name === name)
}
