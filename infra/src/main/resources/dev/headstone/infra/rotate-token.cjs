// Rotates the cache user's token, as Secrets Manager asks for it: four steps, each of which may come twice.
// Old and new token are both valid from setSecret of one rotation to setSecret of the next, so that no
// function is locked out. What is logged never holds a token.

/** `secrets` and `cache` offer the calls named below; `pause` waits between two looks at the user. */
const rotation = ({ secrets, cache, secretArn, userId, pause, looks = 55 }) => async (event) => {
  const { SecretId: id, ClientRequestToken: version, Step: step } = event;
  if (id !== secretArn) throw new Error('not the secret that this function rotates');
  const stages = (await secrets.describe(id)).VersionIdsToStages?.[version] ?? [];
  if (stages.includes('AWSCURRENT')) return;
  if (!stages.includes('AWSPENDING')) throw new Error('not a version that is being rotated');

  const settled = async () => {
    for (let look = 0; look < looks; look++) {
      if ((await cache.user(userId)).Status === 'active') return;
      await pause();
    }
    throw new Error('the user did not become active in time');
  };

  switch (step) {
    case 'createSecret':
      if (!(await secrets.find(id, version))) await secrets.put(id, version, await secrets.random());
      return;
    case 'setSecret':
      await settled();
      await cache.allow(userId, [await secrets.find(id, version), await secrets.current(id)]);
      return;
    case 'testSecret':
      return settled();
    case 'finishSecret': {
      const all = (await secrets.describe(id)).VersionIdsToStages;
      const before = Object.keys(all).find((each) => all[each].includes('AWSCURRENT'));
      return secrets.promote(id, version, before);
    }
    default:
      throw new Error('unknown step');
  }
};

const onAws = () => {
  const sm = require('@aws-sdk/client-secrets-manager');
  const ec = require('@aws-sdk/client-elasticache');
  const smClient = new sm.SecretsManagerClient();
  const ecClient = new ec.ElastiCacheClient();
  const read = async (input) => (await smClient.send(new sm.GetSecretValueCommand(input))).SecretString;
  return rotation({
    secrets: {
      describe: (SecretId) => smClient.send(new sm.DescribeSecretCommand({ SecretId })),
      current: (SecretId) => read({ SecretId }),
      find: (SecretId, VersionId) =>
        read({ SecretId, VersionId, VersionStage: 'AWSPENDING' }).catch((failure) => {
          if (failure.name === 'ResourceNotFoundException') return undefined;
          throw failure;
        }),
      random: async () =>
        (await smClient.send(new sm.GetRandomPasswordCommand({ PasswordLength: 64, ExcludePunctuation: true })))
          .RandomPassword,
      put: (SecretId, ClientRequestToken, SecretString) =>
        smClient.send(
          new sm.PutSecretValueCommand({ SecretId, ClientRequestToken, SecretString, VersionStages: ['AWSPENDING'] })),
      promote: (SecretId, MoveToVersionId, RemoveFromVersionId) =>
        smClient.send(
          new sm.UpdateSecretVersionStageCommand(
            { SecretId, VersionStage: 'AWSCURRENT', MoveToVersionId, RemoveFromVersionId })),
    },
    cache: {
      user: async (UserId) => (await ecClient.send(new ec.DescribeUsersCommand({ UserId }))).Users[0],
      allow: (UserId, Passwords) => ecClient.send(new ec.ModifyUserCommand({ UserId, Passwords })),
    },
    secretArn: process.env.SECRET_ARN,
    userId: process.env.USER_ID,
    pause: () => new Promise((resolve) => setTimeout(resolve, 5000)),
  });
};

let rotate;
exports.handler = async (event) => (rotate ??= onAws())(event);
exports.rotation = rotation;
