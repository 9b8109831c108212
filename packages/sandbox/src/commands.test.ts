import { expect, test } from 'vitest'

const { runCommand } = (await import(new URL('../jail/commands.mjs', import.meta.url).href)) as {
  runCommand(all: { readonly page: object; readonly context: object }, words: readonly string[]): Promise<object>
}

const context = { on: () => undefined }

/** A page that goes elsewhere while the first thing is asked of it, as when a key has sent a form. */
function leavingPage(message: string) {
  let isThere = false
  const evaluate = async (): Promise<undefined> => {
    if (!isThere) throw new Error(message)
  }
  return { evaluate, waitForLoadState: async () => void (isThere = true) }
}

test('a scroll meets the next page when a navigation takes the one before away under it', async () => {
  const page = leavingPage('page.evaluate: Execution context was destroyed, most likely because of a navigation')
  expect(await runCommand({ page, context }, ['scroll', 'down', '100'])).toEqual({ output: '✓ Done' })
})

test('code is not run twice, and other failures are told', async () => {
  const page = leavingPage('Execution context was destroyed')
  await expect(runCommand({ page, context }, ['eval', 'send()'])).rejects.toThrow('destroyed')
  await expect(runCommand({ page: leavingPage('The tab is closed.'), context }, ['scroll'])).rejects.toThrow('closed')
})
