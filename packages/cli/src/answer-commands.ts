// The commands that ask the web, and what can be said to each.
import { answers as answerKinds } from '@harvestman/answers'

import { ask, research } from './answers.ts'
import type { Command } from './command-line.ts'
import { examples } from './examples.ts'
import { addAnswerOptions, addKind } from './kind-commands.ts'
import type { Guarded } from './many-pages.ts'
import type { Shell } from './shell.ts'
import { explained } from './words.ts'

/** Adds the commands to the program. */
export function addAnswers(program: Command, shell: Shell, guarded: Guarded): void {
  const agent = program
    .command('agent')
    .argument('[prompt]', 'what is to be found out, in plain words')
    .argument('[urls...]', 'where it begins; without any it searches')
    .description('Looks for an answer on the web: a language model chooses what is searched and read.')
    .option('--schema <file>', 'a JSON Schema: the answer is data that fits it')
    .addOption(explained('--effort <level>', 'agent', 'effort'))
    .option('--only', 'read no pages but these and those below them')
  addAnswerOptions(agent, 'agent')
    .addHelpText('before', examples.agent)
    .action((prompt, urls, options) => guarded(() => ask(prompt, urls, options, shell)))
  const researching = program
    .command('research')
    .argument('[question]', 'what is to be found out')
    .description('Answers a question in rounds of searching, reading and judging, with its sources.')
    .addOption(explained('--depth <n>', 'research', 'maxDepth'))
    .addOption(explained('--pages <n>', 'research', 'maxUrls'))
    .addOption(explained('--time <s>', 'research', 'timeLimit'))
    .option('--schema <file>', 'a JSON Schema: the answer is data that fits it')
  addAnswerOptions(researching, 'research')
    .addHelpText('before', examples.research)
    .action((question, options) => guarded(() => research(question, options, shell)))
  for (const part of answerKinds.jobs) addKind(part, program, shell, guarded)
}
