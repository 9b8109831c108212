import { InvalidArgumentError } from 'commander'
import { expect, test } from 'vitest'

import { Command, Option, suggestChoices } from './command-line.ts'

async function errorOf(option: Option, value: string): Promise<string> {
  const command = new Command('look')
    .addOption(option)
    .exitOverride()
    .configureOutput({ writeErr: () => undefined })
  await suggestChoices(command)
  try {
    command.parse(['--color', value], { from: 'user' })
  } catch (error) {
    return (error as Error).message
  }
  return 'none'
}

const withChoices = () => new Option('--color <name>', 'a color').choices(['red', 'green'])

test('a value that is not one of the choices gets a similar one', async () => {
  expect(await errorOf(withChoices(), 'gren')).toMatch(/ Did you mean green\? Use one of red, green\.$/)
  expect(await errorOf(withChoices(), 'green')).toBe('none')
})

test('another problem of an option with choices keeps its own message', async () => {
  const list = withChoices().argParser((value) => {
    if (value.endsWith(',')) throw new InvalidArgumentError('Remove the comma at the end.')
    return value.split(',')
  })
  expect(await errorOf(list, 'red,')).toMatch(/ Remove the comma at the end\.$/)
  expect(await errorOf(list, 'red,green')).toBe('none')
})

test('an option whose choices are known late takes each of them, and gets a similar one for another value', async () => {
  const late = () =>
    Object.defineProperties(new Option('--color <name>', 'a color'), { argChoices: { get: () => ['red', 'green'] } })
  expect(await errorOf(late(), 'gren')).toMatch(/'gren' is invalid.*Did you mean green\? Use one of red, green\.$/)
  const command = new Command('look').addOption(late())
  await suggestChoices(command)
  expect(command.parse(['--color', 'red'], { from: 'user' }).opts()).toEqual({ color: 'red' })
})

test('choices that are known late are not computed for a command line without the option', async () => {
  const late = Object.defineProperties(new Option('--color <name>', 'a color'), {
    argChoices: {
      get: () => {
        throw new Error('The choices were computed.')
      },
    },
  })
  const command = new Command('look').addOption(late).option('--size <name>')
  await suggestChoices(command)
  expect(command.parse(['--size', 'large'], { from: 'user' }).opts()).toEqual({ size: 'large' })
})

test('an option that turns out to have no choices takes any value', async () => {
  const none = Object.defineProperties(new Option('--color <name>', 'a color'), {
    argChoices: { get: () => undefined },
  })
  const command = new Command('look').addOption(none)
  await suggestChoices(command)
  expect(command.parse(['--color', 'red'], { from: 'user' }).opts()).toEqual({ color: 'red' })
})
