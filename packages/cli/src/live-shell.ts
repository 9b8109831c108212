import { EngineError } from '@harvestman/ports'
import type { AskOptions, LiveSession, TaskAction } from '@harvestman/live'

import { changesOf, pageLines, type ShownPage } from './page-changes.ts'
import { report } from './failures.ts'
import { exitCodes, type Shell } from './shell.ts'

type Options = Pick<AskOptions, 'secrets' | 'allow' | 'signal'>

const help = `click REF            click an element, by its reference: e5
fill REF TEXT        replace the text of a field
select REF OPTION    choose from a list
type TEXT            type into the field that has the focus
press KEY            Enter, Escape, Control+a …
scroll up|down       move the page
goto URL             open an address
back                 go back
wait MS              wait
show                 print the whole page
ask TASK             have the language model do something
node|python|bash CODE   run code in the page's session
help, exit
`

/** Returns the page action of a command, or `undefined` if the command is not a page action. */
function actionOf(word: string, rest: string): TaskAction | undefined {
  const [ref = '', text = ''] = rest.split(/\s(.*)/s)
  if (word === 'click') return { type: 'click', ref }
  if (word === 'fill') return { type: 'fill', ref, text }
  if (word === 'select') return { type: 'select', ref, option: text }
  if (word === 'type') return { type: 'type', text: rest }
  if (word === 'press') return { type: 'press', key: rest }
  if (word === 'scroll') return { type: 'scroll', direction: rest === 'up' ? 'up' : 'down' }
  if (word === 'goto') return { type: 'goto', url: URL.canParse(rest) ? rest : `https://${rest}` }
  if (word === 'back') return { type: 'back' }
  if (word === 'wait') return { type: 'wait', ms: Number(rest) }
  return undefined
}

function isLanguage(word: string): word is 'node' | 'python' | 'bash' {
  return word === 'node' || word === 'python' || word === 'bash'
}

/**
 * Reads one command per line and prints what changed on the page after each, or its error. In a pipe the first failure ends the
 * shell, because later commands expect another page. Resolves to the exit code, also if the session ends. Rejects if the first
 * snapshot fails, or the signal is aborted during a command.
 */
export async function liveShell(session: LiveSession, shell: Shell, options: Options): Promise<number> {
  const { signal } = options
  const isInteractive = shell.isInteractive
  let page: ShownPage = await session.snapshot({ signal })
  shell.out(pageLines(page))
  if (isInteractive) shell.err('(help lists the commands)\n')

  const lookAgain = async (): Promise<void> => {
    const now = await session.snapshot({ signal })
    shell.out(changesOf(page, now))
    page = now
  }

  const carryOut = async (word: string, rest: string): Promise<void> => {
    const action = actionOf(word, rest)
    if (action) await session.act(action, { signal })
    else if (isLanguage(word)) await runCode(word, rest)
    else if (word === 'ask') await ask(rest)
    else if (word === 'show') {
      page = await session.snapshot({ signal })
      return shell.out(pageLines(page))
    } else if (word === 'help') return shell.out(help)
    else throw new EngineError('invalid_request', `${word.slice(0, 50)} is not a command. Type help for a list.`)
    await lookAgain()
  }

  const runCode = async (language: 'node' | 'python' | 'bash', code: string): Promise<void> => {
    const { stdout, stderr, result, error } = await session.run(code, { language, signal })
    shell.out(stdout)
    if (result !== undefined) shell.out(`${result}\n`)
    shell.err(stderr)
    if (error !== undefined) throw new EngineError('action_failed', error)
  }

  const ask = async (task: string): Promise<void> => {
    const { answer, error } = await session.ask(task, { ...options, timeout: 300_000 })
    if (answer !== '') shell.out(`${answer}\n`)
    if (error !== undefined) throw new EngineError('action_failed', error)
  }

  for await (const line of shell.lines('> ', session.closed)) {
    const [word = '', rest = ''] = line.trim().split(/\s+(.*)/s)
    if (word === '' || word.startsWith('#')) continue
    if (word === 'exit' || word === 'quit') break
    try {
      await carryOut(word, rest)
    } catch (error) {
      signal?.throwIfAborted()
      const code = report(error, shell)
      if (!isInteractive) return code
    }
    if (session.closed.aborted) break
  }
  if (!session.closed.aborted) return exitCodes.done
  return report(session.closed.reason, shell)
}
