import { describe, expect, test } from "vitest"
import { readSettings } from "./settings.ts"

test("the lease is 10 s unless PARLOR_LEASE_MS says otherwise", () => {
  expect(readSettings({}).leaseMs).toBe(10_000)
  expect(readSettings({ PARLOR_LEASE_MS: "1500" }).leaseMs).toBe(1_500)
  for (const text of ["soon", "0", "499", "1.5e3.0", "600001", "-1"])
    expect(() => readSettings({ PARLOR_LEASE_MS: text }), text).toThrow(/PARLOR_LEASE_MS/)
})

test("the log level is warn unless PARLOR_LOG says otherwise", () => {
  expect(readSettings({}).logLevel).toBe("warn")
  expect(readSettings({ PARLOR_LOG: "info" }).logLevel).toBe("info")
  for (const text of ["loud", "INFO", "constructor", "toString"])
    expect(() => readSettings({ PARLOR_LOG: text }), text).toThrow(/PARLOR_LOG=.* Use error, warn or info/)
})

test("[TRN-17] running steps get 20 s to end unless PARLOR_DRAIN_MS says otherwise", () => {
  expect(readSettings({}).drainMs).toBe(20_000)
  expect(readSettings({ PARLOR_DRAIN_MS: "0" }).drainMs).toBe(0)
  for (const text of ["soon", "-1", "1.5", "3600001"])
    expect(() => readSettings({ PARLOR_DRAIN_MS: text }), text).toThrow(/PARLOR_DRAIN_MS/)
})

test("[API-8] OpenAI clients name their conversation in the header that PARLOR_CONVERSATION_HEADER names", () => {
  expect(readSettings({}).conversationHeader).toBeUndefined()
  expect(readSettings({ PARLOR_CONVERSATION_HEADER: "X-Room" }).conversationHeader).toBe("X-Room")
  for (const text of ["X Room", "x:y", "ü", "x".repeat(65)])
    expect(() => readSettings({ PARLOR_CONVERSATION_HEADER: text }), text).toThrow(/PARLOR_CONVERSATION_HEADER/)
})

describe("[SEC-4] sign-in", () => {
  const usual = { PARLOR_JWT_ISSUER: "https://login.example.com/realm/", PARLOR_JWT_AUDIENCE: "parlor" }

  test("is off unless an issuer is set, and then has common defaults", () => {
    expect(readSettings({}).issuer).toBeUndefined()
    expect(readSettings(usual).issuer).toEqual({
      issuer: "https://login.example.com/realm/",
      audience: "parlor",
      jwks: undefined,
      person: "sub",
      scopes: ["read", "write"],
    })
    const more = { PARLOR_JWT_PERSON: "email", PARLOR_JWT_SCOPES: "read, manage", PARLOR_JWT_JWKS: "https://k.example" }
    expect(readSettings({ ...usual, ...more }).issuer).toMatchObject({
      person: "email",
      scopes: ["read", "manage"],
      jwks: "https://k.example",
    })
  })

  test("[SEC-38, SEC-39] may be done by the page, and may allow keys that last", () => {
    expect(readSettings({ ...usual, PARLOR_OIDC_CLIENT_ID: "page" }).issuer?.client).toEqual({
      id: "page",
      scopes: ["openid", "profile", "offline_access"],
      parameters: {},
    })
    const more = {
      PARLOR_OIDC_SCOPES: "openid email",
      PARLOR_OIDC_PARAMETERS: "audience=https%3A%2F%2Fapi&prompt=login",
    }
    const all = { ...usual, PARLOR_OIDC_CLIENT_ID: "page", PARLOR_JWT_KEY_DAYS: "30", ...more }
    expect(readSettings(all).issuer).toMatchObject({
      client: { scopes: ["openid", "email"], parameters: { audience: "https://api", prompt: "login" } },
      keysMs: 30 * 86_400_000,
    })
  })

  test.each(["http://127.0.0.1:9", "http://localhost:9/x", "http://[::1]:9"])(
    "on this machine needs no https: %s",
    (url) => {
      expect(readSettings({ ...usual, PARLOR_JWT_ISSUER: url, PARLOR_JWT_JWKS: url }).issuer?.issuer).toBe(url)
    },
  )

  test.each([
    [{ PARLOR_JWT_ISSUER: "login.example.com" }, /PARLOR_JWT_ISSUER=login.example.com is not an https URL/],
    [{ PARLOR_JWT_ISSUER: "http://login.example.com" }, /PARLOR_JWT_ISSUER=.*https/],
    [{ PARLOR_JWT_ISSUER: "http://127.0.0.1.example.com" }, /PARLOR_JWT_ISSUER=.*https/],
    [{ PARLOR_JWT_ISSUER: "https://login.example.com?a=b" }, /query/],
    [
      { PARLOR_JWT_ISSUER: "https://ana:pass@login.example.com" },
      /^PARLOR_JWT_ISSUER cannot contain a username or password/,
    ],
    [{ PARLOR_JWT_AUDIENCE: "" }, /PARLOR_JWT_AUDIENCE/],
    [{ PARLOR_JWT_JWKS: "http://login.example.com/jwks" }, /PARLOR_JWT_JWKS/],
    [{ PARLOR_JWT_JWKS: "file:///keys" }, /PARLOR_JWT_JWKS/],
    [{ PARLOR_JWT_SCOPES: "read,admin" }, /PARLOR_JWT_SCOPES/],
    [{ PARLOR_JWT_SCOPES: "," }, /PARLOR_JWT_SCOPES/],
    [{ PARLOR_JWT_KEY_DAYS: "0" }, /PARLOR_JWT_KEY_DAYS/],
    [{ PARLOR_OIDC_SCOPES: "openid" }, /PARLOR_OIDC_SCOPES is set, but PARLOR_OIDC_CLIENT_ID is not/],
    [
      { PARLOR_OIDC_CLIENT_ID: "page", PARLOR_OIDC_SCOPES: "profile" },
      /PARLOR_OIDC_SCOPES=profile must contain openid/,
    ],
    [{ PARLOR_OIDC_CLIENT_ID: "page", PARLOR_OIDC_PARAMETERS: "a=b&state=x" }, /cannot set state/],
    [{ PARLOR_JWT_ISSUER: "" }, /PARLOR_JWT_AUDIENCE is set, but PARLOR_JWT_ISSUER is not/],
  ])("refuses invalid values: %j", (odd, words) => {
    expect(() => readSettings({ ...usual, ...odd })).toThrow(words)
  })

  test("[SEC-2] allows a public listen address", () => {
    expect(readSettings({ ...usual, PARLOR_HOST: "0.0.0.0" }).host).toBe("0.0.0.0")
    expect(() => readSettings({ PARLOR_HOST: "0.0.0.0" })).toThrow(/PARLOR_TOKEN or PARLOR_JWT_ISSUER/)
  })
})

test("[SEC-9] the send rate is a whole number per minute", () => {
  expect(readSettings({}).sendsPerMinute).toBeUndefined()
  expect(readSettings({ PARLOR_SENDS_PER_MINUTE: "30" }).sendsPerMinute).toBe(30)
  for (const text of ["0", "-1", "1.5", "many", "1000001"])
    expect(() => readSettings({ PARLOR_SENDS_PER_MINUTE: text }), text).toThrow(/PARLOR_SENDS_PER_MINUTE/)
})

test("[BRA-4] a closed sidecar is kept unless PARLOR_CLOSED_SIDECARS says otherwise", () => {
  expect(readSettings({}).closedSidecars).toBe("keep")
  expect(readSettings({ PARLOR_CLOSED_SIDECARS: "delete" }).closedSidecars).toBe("delete")
  expect(() => readSettings({ PARLOR_CLOSED_SIDECARS: "burn" })).toThrow(/PARLOR_CLOSED_SIDECARS/)
})

test("[SEC-13, SEC-17] connection limits are whole numbers; proxies are addresses and networks, trusted in one header", () => {
  expect(readSettings({})).toMatchObject({
    connections: undefined,
    connectionsPerAddress: undefined,
    trustedProxies: [],
    forwardedHeader: "x-forwarded-for",
  })
  const env = {
    PARLOR_MAX_CONNECTIONS: "500",
    PARLOR_CONNECTIONS_PER_ADDRESS: "50",
    PARLOR_TRUSTED_PROXIES: "10.0.0.0/8, FD00::/8,127.0.0.1",
    PARLOR_FORWARDED_HEADER: "Forwarded",
  }
  expect(readSettings(env)).toMatchObject({
    connections: 500,
    connectionsPerAddress: 50,
    trustedProxies: ["10.0.0.0/8", "fd00::/8", "127.0.0.1"],
    forwardedHeader: "forwarded",
  })
  for (const [name, text] of [
    ["PARLOR_MAX_CONNECTIONS", "0"],
    ["PARLOR_CONNECTIONS_PER_ADDRESS", "few"],
    ["PARLOR_TRUSTED_PROXIES", "proxy.example.com"],
    ["PARLOR_TRUSTED_PROXIES", "10.0.0.0/40"],
    ["PARLOR_FORWARDED_HEADER", "X-Real-IP"],
  ] as const)
    expect(() => readSettings({ [name]: text }), text).toThrow(new RegExp(name))
})

test("[SEC-23, SEC-24, SEC-42, SEC-43] what one person may store can be set, and invalid amounts are refused", () => {
  const names = {
    storedBytes: "PARLOR_STORED_BYTES",
    conversations: "PARLOR_CONVERSATIONS",
    files: "PARLOR_FILES",
    schedules: "PARLOR_SCHEDULES",
    hooks: "PARLOR_HOOKS",
    notices: "PARLOR_NOTICES",
  } as const
  const usual = { storedBytes: 2 * 1024 ** 3, conversations: 5_000, files: 100_000 }
  expect(readSettings({}).quota).toEqual({ ...usual, schedules: 200, hooks: 50, notices: 10 })
  for (const [field, name] of Object.entries(names)) {
    expect(readSettings({ [name]: "7" }).quota).toMatchObject({ [field]: 7 })
    for (const text of ["0", "-1", "many", "1.5"]) expect(() => readSettings({ [name]: text }), text).toThrow(name)
    if (field in usual) expect(readSettings({ [name]: "unlimited" }).quota).toMatchObject({ [field]: null })
    else expect(() => readSettings({ [name]: "unlimited" })).toThrow(name)
  }
})

test("[SEC-21, SEC-22] model call rate and daily budget can be set, and invalid amounts are refused", () => {
  const { rates, tokensPerDay, microsPerDay } = readSettings({}).usage
  expect([rates.all.perMinute, tokensPerDay, microsPerDay]).toEqual([600, 50_000_000, 20_000_000])
  const set = { PARLOR_MODEL_CALLS_PER_MINUTE: "30", PARLOR_TOKENS_PER_DAY: "1000", PARLOR_DOLLARS_PER_DAY: "0.5" }
  expect(readSettings(set).usage).toMatchObject({
    rates: { all: { perMinute: 30, atOnce: 30 }, unattended: { perMinute: 15, atOnce: 15 } },
    tokensPerDay: 1_000,
    microsPerDay: 500_000,
  })
  const none = { PARLOR_TOKENS_PER_DAY: "unlimited", PARLOR_DOLLARS_PER_DAY: "unlimited" }
  expect(readSettings(none).usage).toMatchObject({ tokensPerDay: null, microsPerDay: null })
  for (const name of ["PARLOR_MODEL_CALLS_PER_MINUTE", "PARLOR_TOKENS_PER_DAY", "PARLOR_DOLLARS_PER_DAY"])
    for (const text of ["0", "-1", "many"]) expect(() => readSettings({ [name]: text }), text).toThrow(name)
})
