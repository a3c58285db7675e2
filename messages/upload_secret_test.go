package messages

import (
	"strings"
	"testing"
)

// A name that looks like a secret's is refused in any case and as a copy (C24).
func TestSecretName(t *testing.T) {
	secret := []string{
		"id_rsa.bak", "id_ed25519_sk", "key.pem~", ".vault-token", ".my.cnf", "kubeconfig", "terraform.tfstate", "Login Data", "cookies.sqlite", ".bash_history", "credentials.csv",
		"id_rsa", "ID_RSA.OLD", "id_ecdsa_work", "id-rsa", "id_dsa (1)", "Copy of id_rsa", "ssh_host_ed25519_key", "id_rsa.txt", "id_rsa.2", ".id_rsa.swp", "#key.pem#",
		"server.key", "Server.KEY.bak.1", "backup.pem.gz", "AuthKey_ABC.p8", "store.jks", "vault.kdbx", "a/.ssh/config", "home\\me\\.aws\\config", "x/.GnuPG/y", "a.ppk", "signing.keystore",
		".env", ".env.local", "prod.env", ".envrc", ".netrc", ".npmrc.bak", ".pgpass", ".git-credentials", "x/.git/config", ".docker/config.json", ".kube/config",
		"kubeconfig.yaml", "kubeconfig-prod", "terraform.tfstate.backup", "prod.tfvars", "terraform.tfstate.1700000000.backup",
		"Login Data For Account", "Login Data-journal", "Cookies", "cookies.sqlite-wal", "key4.db", "logins.json", "logins-backup.json", "Local State", "login.keychain-db", "cookies.txt", "Web Data (1)",
		".zsh_history", ".python_history", ".psql_history", ".node_repl_history", ".lesshst", "fish_history", "ConsoleHost_history.txt", ".mysql_history~",
		"Credentials", "aws-credentials.json", "AWS_Credentials (2).CSV", "credentials.csv.old", "rootkey.csv", "prod_secrets.yaml", "secrets.prod.yaml", "passwords.xlsx", "password.txt", "my passwords.csv",
		"api-key.txt", "access_token.json", "client_secret_12.json", "service-account.json", "service_account.json", "application_default_credentials.json", "token.json", "private_key", "privatekey.dat",
		"wallet.dat", ".htpasswd", "shadow", "krb5cc_1000", "a.keytab", "client.ovpn", ".viminfo", ".Xauthority",
		strings.Repeat("n", 256),
	}
	for _, name := range secret {
		if !SecretName(name) {
			t.Errorf("%s is let through", name)
		}
	}
	plain := []string{
		"report.csv", "keyboard.png", "tokenizer.txt", "tokenizer.json", "monkey.jpg", "key.png", "token.png", "passport.pdf", "keynote.key.png", "turkey.csv", "secretary.docx", "secret garden.txt",
		"The Secret Garden.xlsx", "password-policy.md", "history.md", "history.txt", "environment.yml", "env.txt", "cookie-recipe.md", "identity.txt", "Sam.txt", "credits.txt", "author.json", "hosts.txt",
		"id_card.png", "id_photo.jpg", "rsa-conference.pdf", "config.json", "settings.ini", "data.db", "key-results.xlsx", "keys to success.pdf", "public key.txt", "id_rsa.pub", "backup.zip", "a (1).csv",
		"copy of report.docx", "report~", "notes.bak", "locale.data", "login.html", "credentialing-guide.pdf", "accesskeyboard.txt", "walletsize.png", "history/report.csv", ".hidden", "pem.txt", "gitignore.txt", "", ".", "2024", "1.2.3",
	}
	for _, name := range plain {
		if SecretName(name) {
			t.Errorf("%q is refused", name)
		}
	}
}

// The start of a private key is known whatever the file is called.
func TestSecretContent(t *testing.T) {
	for text, want := range map[string]bool{
		"-----BEGIN OPENSSH PRIVATE KEY-----\nb3Bl":                                                     true,
		"Bag Attributes\n-----BEGIN RSA PRIVATE KEY-----":                                               true,
		`{"private_key": "-----BEGIN PRIVATE KEY-----\nMII"}`:                                           true,
		"-----BEGIN PGP PRIVATE KEY BLOCK-----":                                                         true,
		"PuTTY-User-Key-File-3: ssh-ed25519":                                                            true,
		"# created\nAGE-SECRET-KEY-1QQQ":                                                                true,
		"\xff\xfe-\x00P\x00R\x00I\x00V\x00A\x00T\x00E\x00 \x00K\x00E\x00Y\x00-\x00-\x00-\x00-\x00-\x00": true,
		"-----BEGIN PUBLIC KEY-----":                                                                    false,
		"-----BEGIN CERTIFICATE-----":                                                                   false,
		"How to keep a private key":                                                                     false,
		"":                                                                                              false,
	} {
		if got := SecretContent([]byte(text)); got != want {
			t.Errorf("%q gives %t", text, got)
		}
	}
}
