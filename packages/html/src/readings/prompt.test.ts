import { describe, expect, test } from 'vitest'

import type { LoginState } from './login.ts'
import { readHtml } from './read.ts'

const scope = { onlyMainContent: true, includeTags: [], excludeTags: [] }
const promptOf = (html: string): string | undefined => {
  const { values } = readHtml({ html, url: 'https://a.example/' }, scope, [{ name: 'login' }])
  // Cast: the value of this reading.
  return (values['login'] as LoginState).prompt
}

const sentences = 'A sentence of an article that says something about its subject to its readers. '.repeat(12)
const code = '<form><input name=code inputmode=numeric maxlength=6><button>OK</button></form>'

describe('a second factor', () => {
  test.each([
    ['a field that is declared so', '<p>Hello.</p><form><input autocomplete="section-a one-time-code"></form>'],
    [
      'six fields of one character',
      `<h1>Two-factor authentication</h1><form>${'<input maxlength=1>'.repeat(6)}</form>`,
    ],
    [
      'a field named so',
      '<p>Enter the verification code.</p><form><input type=password name=user[otp_attempt]></form>',
    ],
    ['in English', `<h1>Check your phone</h1><p>Enter the one-time code.</p>${code}`],
    ['in German', `<h1>Bestätigungscode eingeben</h1>${code}`],
    ['in French', `<p>Saisissez le code de vérification.</p>${code}`],
    ['in Spanish', `<p>Verificación en dos pasos</p>${code}`],
    ['in Portuguese', `<p>Introduza o código de verificação</p>${code}`],
    ['in Italian', `<p>Verifica in due passaggi</p>${code}`],
    ['in Dutch', `<p>Voer de verificatiecode in</p>${code}`],
    ['in Polish', `<p>Wpisz kod weryfikacyjny</p>${code}`],
    ['in Swedish', `<p>Ange din engångskod</p>${code}`],
    ['in Russian', `<p>Введите код подтверждения</p>${code}`],
    ['in Turkish', `<p>Doğrulama kodu</p>${code}`],
    ['in Japanese', `<p>認証コードを入力してください</p>${code}`],
    ['in Chinese', `<p>请输入短信验证码</p>${code}`],
    ['in Korean', `<p>인증번호를 입력하세요</p>${code}`],
  ])('is found: %s', (_, html) => {
    expect(promptOf(html)).toBe('second_factor')
  })

  test.each([
    ['the words without a field', '<h1>Two-factor authentication</h1><p>Enter the verification code.</p>'],
    ['a code field without the words', `<h1>Voucher</h1>${code}`],
    [
      'an article about it with a search field',
      `<h1>Two-factor authentication</h1><p>${sentences.repeat(3)}</p>${code}`,
    ],
    [
      'a field that is not displayed',
      '<p>Hello.</p><div style="display:none"><input autocomplete=one-time-code></div>',
    ],
    ['a field in the header', '<header><input autocomplete=one-time-code></header><p>Hello.</p>'],
    ['a form to log in', '<h1>Log in</h1><form><input name=user><input type=password></form>'],
  ])('is not found: %s', (_, html) => {
    expect(promptOf(html)).not.toBe('second_factor')
  })
})

const button = '<button>OK</button>'

describe('a confirmation', () => {
  test.each([
    ['of the age', `<h1>Are you over 18?</h1>${button}<button>No</button>`],
    [
      'of the age, by date of birth',
      `<h2>Verify your age</h2><select></select><select></select><select></select>${button}`,
    ],
    [
      'of the terms',
      `<p>Please accept our updated terms of use to continue.</p><form><input type=checkbox>${button}</form>`,
    ],
    ['in German', `<p>Sind Sie volljährig?</p>${button}`],
    ['in French', `<p>Avez-vous plus de 18 ans ?</p>${button}`],
    ['in Spanish', `<p>¿Eres mayor de edad?</p>${button}`],
    ['in Portuguese', `<p>Você é maior de 18 anos?</p>${button}`],
    ['in Italian', `<p>Sei maggiorenne?</p>${button}`],
    ['in Dutch', `<p>Bent u 18 jaar of ouder?</p>${button}`],
    ['in Polish', `<p>Czy masz ukończone 18 lat?</p>${button}`],
    ['in Swedish', `<p>Har du fyllt 18 år?</p>${button}`],
    ['in Russian', `<p>Вам уже есть 18 лет?</p>${button}`],
    ['in Japanese', `<p>あなたは18歳以上ですか</p>${button}`],
    ['in Chinese', `<p>您是否年满18岁？</p>${button}`],
    ['in Korean', `<p>만 19세 이상입니까?</p>${button}`],
  ])('is found: %s', (_, html) => {
    expect(promptOf(html)).toBe('confirmation')
  })

  test.each([
    ['the words without a button', '<p>You must be 18 or older.</p>'],
    ['the words beside content', `<p>For people of 18 or older.</p>${button}<p>${sentences}</p>`],
    ['the words in a footer', `<p>Wine of the week.</p>${button}<footer>Age verification</footer><p>${sentences}</p>`],
    ['a form to register', `<p>I am over 18.</p><form><input type=email><input type=password>${button}</form>`],
    ['a long form', `<p>Are you over 18?</p>${'<input>'.repeat(4)}${button}`],
    ['a short page with a button', `<h1>Thank you</h1><p>We have your order.</p>${button}`],
  ])('is not found: %s', (_, html) => {
    expect(promptOf(html)).toBeUndefined()
  })
})
