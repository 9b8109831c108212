// The public API of this package.
export {
  botAuth,
  botDirectory,
  botDirectoryPath,
  type BotAuthOptions,
  type BotDirectoryOptions,
} from './bot-auth/bot-auth.ts'
export { sitePreferences, type PreferencesFormat, type SitePreferencesOptions } from './preferences/site-preferences.ts'
export { uses, type Signal, type Statement, type Use } from './preferences/statements.ts'
export { makeBotKey, type NewBotKey } from './bot-auth/bot-key.ts'
