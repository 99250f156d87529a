import { type getAuthStatus, login, type OAuth2Provider, type Reply } from '@causeway/contract'

type AuthStatus = Reply<typeof getAuthStatus>

export interface SignInLayout {
  form: 'login' | 'register' | 'none'
  hasTelegram: boolean
  providers: OAuth2Provider[]
}

const PROVIDERS = ['generic', 'pocketid', 'github', 'yandex'] as const

/** Methods of the sign-in page (the password stays beside other methods unless the server forbids it). */
export function signInLayout(status: AuthStatus): SignInLayout {
  if (!status.isLoginAllowed) {
    return { form: status.isRegisterAllowed ? 'register' : 'none', hasTelegram: false, providers: [] }
  }
  const offered: Record<string, boolean> = { ...status.authentication?.oauth2.providers, ...status.oauth2.providers }
  return {
    form: status.isPasswordLoginAllowed === false ? 'none' : 'login',
    hasTelegram: status.tgAuth !== null,
    providers: PROVIDERS.filter((provider) => offered[provider]),
  }
}

/** Browsers have passkeys at a name, and at an address have none. */
export function isPasskeyOffered(status: AuthStatus, hostname: string): boolean {
  return status.authentication?.passkey.enabled === true && !/^[\d.]+$|:/.test(hostname)
}

interface LoginProblems {
  username?: 'usernameRequired'
  password?: 'passwordRequired'
}

export function loginProblems(form: { username: string; password: string }): LoginProblems {
  const problems: LoginProblems = {}
  const isReadable = login.body.safeParse(form).success
  if (!isReadable || form.username.trim() === '') problems.username = 'usernameRequired'
  if (!isReadable || form.password === '') problems.password = 'passwordRequired'
  return problems
}
